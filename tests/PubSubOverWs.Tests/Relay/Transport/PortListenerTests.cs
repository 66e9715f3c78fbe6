using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Transport;

public sealed class PortListenerTests
{
    private static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);

    private readonly FakeTime _time = new();

    [Theory]
    [InlineData(FrontEnd.Lean, true)]
    [InlineData(FrontEnd.Framework, false)]
    public async Task Connections_of_the_lean_front_end_are_its_own_and_others_the_web_servers(FrontEnd frontEnd, bool isLean)
    {
        await using var listener = await Transport(frontEnd).BindAsync(AnyPort);
        using var client = await SocketPair.ClientOfAsync(listener.EndPoint);

        await using var connection = await listener.AcceptAsync();

        Assert.Equal(isLean, connection is LeanConnection);
        await client.SendAsync("x"u8.ToArray());
        Assert.Equal(1, (await connection!.Transport.Input.ReadAsync()).Buffer.Length);
        client.Dispose();
    }

    [Fact]
    public async Task An_address_that_is_taken_is_refused_as_the_web_server_knows_it()
    {
        await using var listener = await Transport(FrontEnd.Lean).BindAsync(AnyPort);
        await Assert.ThrowsAsync<AddressInUseException>(() => Transport(FrontEnd.Lean).BindAsync(listener.EndPoint).AsTask());
    }

    [Fact]
    public async Task An_accept_that_waits_ends_when_the_port_is_unbound_and_so_do_those_after_it()
    {
        await using var listener = await Transport(FrontEnd.Lean).BindAsync(AnyPort);
        var accepting = listener.AcceptAsync().AsTask();
        await listener.UnbindAsync();
        Assert.Null(await accepting.Patiently());
        Assert.Null(await listener.AcceptAsync());
    }

    [Fact]
    public async Task A_port_that_is_closed_waits_for_connections_that_were_taken()
    {
        var listener = await Transport(FrontEnd.Lean).BindAsync(AnyPort);
        using var one = await SocketPair.ClientOfAsync(listener.EndPoint);
        using var other = await SocketPair.ClientOfAsync(listener.EndPoint);
        var (first, last) = (await TakeAsync(listener), await TakeAsync(listener));

        var closing = listener.DisposeAsync().AsTask();
        first.SetResult();
        Assert.Equal(0, await one.ReceiveAsync(new byte[1]));
        Assert.False(closing.IsCompleted);
        last.SetResult();
        one.Dispose();
        other.Dispose();

        await closing.Patiently();
    }

    [Fact]
    public async Task Those_that_are_open_a_second_later_are_cut_and_no_others()
    {
        var listener = await Transport(FrontEnd.Lean).BindAsync(AnyPort);
        using var one = await SocketPair.ClientOfAsync(listener.EndPoint);
        using var other = await SocketPair.ClientOfAsync(listener.EndPoint);
        using var gone = await SocketPair.ClientOfAsync(listener.EndPoint);
        await TakeAsync(listener);
        await TakeAsync(listener);
        (await TakeAsync(listener)).SetResult();

        var closing = listener.DisposeAsync().AsTask();
        _time.Advance(TimeSpan.FromMilliseconds(999));
        Assert.False(closing.IsCompleted);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        await closing.Patiently();

        await Assert.ThrowsAsync<SocketException>(() => one.ReceiveAsync(new byte[1]));
        await Assert.ThrowsAsync<SocketException>(() => other.ReceiveAsync(new byte[1]));
        Assert.Equal(0, await gone.ReceiveAsync(new byte[1]));
    }

    // Accepts the next. It is served until the result is set.
    private static async Task<TaskCompletionSource> TakeAsync(IConnectionListener listener)
    {
        var serving = new TaskCompletionSource();
        var connection = Assert.IsType<LeanConnection>(await listener.AcceptAsync());
        Assert.True(connection.TryTake(serving.Task, NullLogger.Instance));
        return serving;
    }

    private LeanTransport Transport(FrontEnd frontEnd) => new(
        Options.Create(new RelayOptions { FrontEnd = frontEnd }), Options.Create(new SocketTransportOptions()), _time,
        NullLoggerFactory.Instance);
}
