using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Transport;

public sealed class LeanListenerTests
{
    private static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);

    [Theory]
    [InlineData(FrontEnd.Lean, true)]
    [InlineData(FrontEnd.Framework, false)]
    public void Its_transport_serves_addresses_of_the_lean_front_end_only(FrontEnd frontEnd, bool serves)
    {
        Assert.Equal(serves, Transport(frontEnd).CanBind(AnyPort));
        Assert.False(Transport(frontEnd).CanBind(new UnixDomainSocketEndPoint("none.sock")));
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

    private static LeanTransport Transport(FrontEnd frontEnd) => new(
        Options.Create(new RelayOptions { FrontEnd = frontEnd }), Options.Create(new SocketTransportOptions()), new FakeTime(),
        NullLogger<LeanTransport>.Instance);
}
