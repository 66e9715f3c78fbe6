using System.Net;
using System.Net.Sockets;
using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

/// <summary>Whether the other side of a connection is gone, before anything has read that from it.</summary>
public sealed class CallerTests : IDisposable
{
    private readonly Socket _client = new(SocketType.Stream, ProtocolType.Tcp);
    private readonly Socket _server;

    public CallerTests()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        _client.Connect(listener.LocalEndpoint);
        _server = listener.AcceptSocket();
    }

    [Fact]
    public void A_caller_is_there_whether_it_has_sent_something_or_not()
    {
        Assert.False(Caller.HasEnded(_server));

        _client.Send(new byte[1]);
        // Waits until it is there, and leaves it.
        _server.Receive(new byte[1], SocketFlags.Peek);

        Assert.False(Caller.HasEnded(_server));
    }

    [Fact]
    public void A_caller_that_has_closed_is_gone()
    {
        _client.Close();
        // Waits for the end of the stream, which can be read again and again.
        Assert.Equal(0, _server.Receive(new byte[1]));

        Assert.True(Caller.HasEnded(_server));
    }

    [Fact]
    public void A_caller_that_has_reset_the_connection_is_gone()
    {
        _client.LingerState = new LingerOption(enable: true, seconds: 0);
        _client.Close();
        Assert.Throws<SocketException>(() => _server.Receive(new byte[1]));

        Assert.True(Caller.HasEnded(_server));
    }

    [Fact]
    public void A_caller_whose_connection_was_closed_here_is_gone()
    {
        _server.Close();

        Assert.True(Caller.HasEnded(_server));
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }
}
