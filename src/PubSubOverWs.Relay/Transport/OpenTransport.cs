using System.IO.Pipelines;
using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;

namespace PubSubOverWs.Relay;

/// <summary>
/// The pipes of a connection of Kestrel's own transport for HTTP. That transport closes the socket, for both directions at once, when HTTP
/// is done with the pipes: they stay open, so that a <see cref="LingeringClose"/> comes first.
/// </summary>
internal sealed class OpenTransport(IDuplexPipe inner) : IDuplexPipe
{
    private readonly OpenWriter _output = new(inner.Output);

    public PipeReader Input { get; } = new OpenReader(inner.Input);

    public PipeWriter Output => _output;

    /// <summary>Where it is not TCP, or nothing tells when all was sent, the connection is closed by Kestrel alone.</summary>
    public static ConnectionDelegate Before(ConnectionDelegate next, LingeringClose closing) =>
        connection => Acknowledged.IsKnown && connection.RemoteEndPoint is IPEndPoint
            && connection.Features.Get<IConnectionSocketFeature>() is { } tcp
            ? RunAsync(connection, tcp, next, closing)
            : next(connection);

    private static async Task RunAsync(
        ConnectionContext connection, IConnectionSocketFeature tcp, ConnectionDelegate next, LingeringClose closing)
    {
        var open = new OpenTransport(connection.Transport);
        connection.Transport = open;
        await next(connection);
        await closing.RunAsync(connection, tcp.Socket, open.Input, open._output.Written);
    }
}
