using System.IO.Pipelines;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections.Features;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Transport;

/// <summary>The end of a connection, over loopback; what comes is from a pipe. <c>LastWordsTests</c> has it as clients see it.</summary>
public sealed class LingeringCloseTests : IAsyncLifetime
{
    private readonly Pipe _input = new();
    private SocketPair _pair = null!;

    public async Task InitializeAsync() => _pair = await SocketPair.ConnectAsync();

    public async Task DisposeAsync() => await _pair.DisposeAsync();

    [Fact]
    public async Task A_client_whose_machine_is_gone_is_not_waited_for()
    {
        // As the web server's transport says it.
        await _input.Writer.CompleteAsync(new SocketException((int)SocketError.TimedOut));

        await RunAsync(written: 0).Patiently();

        Assert.Equal(0, _pair.Time.TimersSet);
    }

    [Fact]
    public async Task A_client_that_acknowledges_nothing_is_looked_at_less_and_less_and_cut_when_its_time_is_over()
    {
        var closing = RunAsync(written: 1);
        List<double> pauses = [];
        while (pauses.Sum() < 1_000 && _pair.Time.UntilNextTimer is { } pause)
        {
            pauses.Add(pause.TotalMilliseconds);
            _pair.Time.Advance(pause);
            await Waiting.UntilAsync(() => _pair.Time.TimersSet == 2);
        }

        Assert.Equal([5, 10, 20, 40, 80, 160, 160, 160, 160, 160, 160], pauses);
        _pair.Time.Advance(SocketPair.CloseTimeout);
        await Assert.ThrowsAsync<SocketException>(() => _pair.Client.ReceiveAsync(new byte[1]));
        await _input.Writer.CompleteAsync();
        await closing.Patiently();
    }

    [Fact]
    public async Task A_server_that_stops_waits_a_second_for_a_client_that_keeps_an_idle_connection()
    {
        _pair.Server.Features.Set<IConnectionLifetimeNotificationFeature>(new Stopping());
        var closed = _pair.Server.ConnectionClosed;
        var closing = RunAsync(written: 0);

        _pair.Time.Advance(TimeSpan.FromMilliseconds(999));
        Assert.False(_pair.ServerSocket.SafeHandle.IsClosed);
        _pair.Time.Advance(TimeSpan.FromMilliseconds(1));

        await Waiting.UntilAsync(() => closed.IsCancellationRequested);
        await _input.Writer.CompleteAsync();
        await closing.Patiently();
    }

    private Task RunAsync(long written) =>
        new LingeringClose(SocketPair.CloseTimeout, _pair.Time).RunAsync(_pair.Server, _pair.ServerSocket, _input.Reader, written);

    private sealed class Stopping : IConnectionLifetimeNotificationFeature
    {
        public CancellationToken ConnectionClosedRequested { get; set; } = new(canceled: true);

        public void RequestClose() => throw new NotSupportedException();
    }
}
