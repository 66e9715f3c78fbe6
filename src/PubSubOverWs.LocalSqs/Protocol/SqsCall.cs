using System.Text.Json;

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
