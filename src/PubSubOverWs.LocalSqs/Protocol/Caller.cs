using System.Net.Sockets;
using Microsoft.AspNetCore.Connections.Features;

namespace PubSubOverWs.LocalSqs;

/// <summary>Who made a call.</summary>
internal sealed class Caller(HttpContext http)
{
    // None where there is no socket below.
    private readonly Socket? _socket = http.Features.Get<IConnectionSocketFeature>()?.Socket;

    /// <summary>Fires when the server has heard that the caller is gone, which is once a thread is free to hear it.</summary>
    public CancellationToken Aborted { get; } = http.RequestAborted;

    /// <summary>
    /// Whether the caller is gone as the operating system knows it. What is written after that reaches nobody, though the write succeeds.
    /// Safe from any thread.
    /// </summary>
    public bool IsGone => Aborted.IsCancellationRequested || (_socket is not null && HasEnded(_socket));

    /// <summary>Whether the other side has closed or reset the connection, and all that it sent before was read. Reads nothing.</summary>
    internal static bool HasEnded(Socket socket)
    {
        try
        {
            // Readable without anything to read is the end of the stream. Asked again at last: what came in between may have been read by
            // another thread.
            return IsReadable(socket) && socket.Available == 0 && IsReadable(socket);
        }
        catch (Exception closed) when (closed is ObjectDisposedException or SocketException)
        {
            return true;
        }
    }

    private static bool IsReadable(Socket socket) => socket.Poll(TimeSpan.Zero, SelectMode.SelectRead);
}
