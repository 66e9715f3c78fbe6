using System.Net.Sockets;
using System.Text.Json;
using Microsoft.AspNetCore.Connections.Features;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LocalSqs;

/// <summary>One call: its request, its answer, and the messages to give back if the caller is gone.</summary>
internal sealed class SqsCall(QueueStore store, PooledBytes request, Utf8JsonWriter answer, string host, Caller caller)
{
    public QueueStore Store { get; } = store;

    public ReadOnlyMemory<byte> Request => request.Written;

    /// <summary>Writes inside the object of the answer, which may stay empty.</summary>
    public Utf8JsonWriter Answer { get; } = answer;

    public Caller Caller { get; } = caller;

    /// <summary>Messages that this call took out of a queue: they go back if the answer cannot be delivered.</summary>
    public (QueueInMemory Queue, IReadOnlyList<Handout> Handouts)? Taken { get; set; }

    public string UrlOf(string name) => $"http://{host}/{QueueStore.Account}/{name}";

    /// <summary>The queue of a URL: its last part is the name, whatever the host.</summary>
    /// <exception cref="SqsErrorException">There is no URL, or no such queue.</exception>
    public QueueInMemory Queue(string? url) => url is null
        ? throw new SqsErrorException(SqsError.MissingParameter, "The request must contain the parameter QueueUrl.")
        : Store.Get(NameOf(url));

    public static string NameOf(string url) => url[(url.LastIndexOf('/') + 1)..];
}

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
