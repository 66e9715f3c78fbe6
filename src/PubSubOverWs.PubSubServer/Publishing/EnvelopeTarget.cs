using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>Where envelopes are sent: a queue, or the topic that copies them into the queues of all nodes.</summary>
/// <param name="Name">As a sentence names it.</param>
/// <param name="MaxBatchBytes">Of all envelopes in one call together.</param>
/// <param name="SendAsync">Sends 1 to 10 envelopes. Not to be cut off: nobody would know what became of them.</param>
internal sealed record EnvelopeTarget(
    string Name, int MaxBatchBytes, Func<IReadOnlyList<SendEntry>, ValueTask<IReadOnlyList<EntryResult>>> SendAsync)
{
    /// <summary>Whether a failure says that it is gone, and that another takes its place from now on. Null: it never does.</summary>
    public Func<SqsException, bool>? IsLost { get; init; }

    public static EnvelopeTarget Queue(ISqs sqs, string name, string url) =>
        new($"the queue {name}", SqsLimits.MaxBatchBytes, entries => sqs.SendMessageBatchAsync(url, entries, CancellationToken.None));

    public static EnvelopeTarget Topic(ISns sns, string name, string arn) => new(
        $"the topic {name}", SnsLimits.MaxBatchBytes,
        entries => sns.PublishBatchAsync(arn, [.. entries.Select(entry => entry.Body)], CancellationToken.None));
}
