using System.Net.Sockets;
using Microsoft.AspNetCore.Connections.Features;

namespace PubSubOverWs.LocalSqs;

/// <summary>The client that made a call.</summary>
internal sealed class Caller(HttpContext http)
{
    // None where there is no socket below.
    private readonly Socket? _socket = http.Features.Get<IConnectionSocketFeature>()?.Socket;

    /// <summary>Fires when the server has noticed that the caller is gone, which needs a free thread.</summary>
    public CancellationToken Aborted { get; } = http.RequestAborted;

    /// <summary>
    /// Whether the operating system knows that the caller is gone. Later writes reach no one, though they succeed.
    /// Safe from any thread.
    /// </summary>
    public bool IsGone => Aborted.IsCancellationRequested || (_socket is not null && HasEnded(_socket));

    /// <summary>Whether the other side has closed or reset the connection, and all that it sent before was read. Reads nothing.</summary>
    internal static bool HasEnded(Socket socket)
    {
        try
        {
            // Readable without data is the end of the stream. Checked again at the end, because another thread may have read data that came
            // in between.
            return IsReadable(socket) && socket.Available == 0 && IsReadable(socket);
        }
        catch (Exception closed) when (closed is ObjectDisposedException or SocketException)
        {
            return true;
        }
    }

    private static bool IsReadable(Socket socket) => socket.Poll(TimeSpan.Zero, SelectMode.SelectRead);
}
