using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>
/// The part of Amazon SQS that this project uses: what it needs of any queue, and the care of queues themselves. Standard queues deliver
/// at least once and in best-effort order, and a retried send may create a duplicate. The codes of a <see cref="QueueException"/> are those
/// of <see cref="SqsErrorCode"/>.
/// </summary>
public interface ISqs : IQueue
{
    /// <summary>
    /// Creates the queue, or finds it when it exists with the same settings. Returns its URL: an identifier to pass back,
    /// never an address to connect to.
    /// </summary>
    /// <param name="name">1 to 80 characters of <c>[A-Za-z0-9_-]</c>. A deleted name is free again after 60 s.</param>
    /// <param name="settings">Of the new queue.</param>
    /// <param name="cancellationToken">Ends the call; the queue may exist nevertheless.</param>
    /// <exception cref="QueueException"><see cref="SqsErrorCode.QueueNameExists"/>: it exists with other settings.</exception>
    ValueTask<string> CreateQueueAsync(string name, QueueSettings settings, CancellationToken cancellationToken);

    /// <exception cref="QueueException"><see cref="SqsErrorCode.QueueDoesNotExist"/>.</exception>
    ValueTask<string> GetQueueUrlAsync(string name, CancellationToken cancellationToken);

    /// <summary>Counts and settings. The counts are approximate on AWS (up to minutes late), exact on LocalSqs.</summary>
    /// <exception cref="QueueException"><see cref="SqsErrorCode.QueueDoesNotExist"/>.</exception>
    ValueTask<QueueAttributes> GetQueueAttributesAsync(string queueUrl, CancellationToken cancellationToken);

    /// <summary>Deletes the queue and its messages.</summary>
    /// <exception cref="QueueException"><see cref="SqsErrorCode.QueueDoesNotExist"/>.</exception>
    ValueTask DeleteQueueAsync(string queueUrl, CancellationToken cancellationToken);

    /// <summary>The URLs of all queues whose name starts with <paramref name="prefix"/> (empty: of all queues), across pages.</summary>
    ValueTask<IReadOnlyList<string>> ListQueuesAsync(string prefix, CancellationToken cancellationToken);

    ValueTask<QueueUrls> IQueue.OpenAsync(string name, CancellationToken cancellationToken) =>
        WorkQueues.OpenAsync(this, name, cancellationToken);

    ValueTask IQueue.DeleteAsync(QueueUrls urls, CancellationToken cancellationToken) =>
        WorkQueues.DeleteAsync(this, urls, cancellationToken);

    async ValueTask<long> IQueue.CountAsync(string queueUrl, CancellationToken cancellationToken) =>
        (await GetQueueAttributesAsync(queueUrl, cancellationToken)).Total;
}

/// <summary>The limits of SNS, as its documentation names them for topics without a MaximumMessageSize of their own.</summary>
public static class SnsLimits
{
    /// <summary>Messages in one publish.</summary>
    public const int MaxBatchEntries = 10;

    /// <summary>Bytes of UTF-8 in one message.</summary>
    public const int MaxMessageBytes = 262_144;

    /// <summary>Bytes of all messages of one publish together.</summary>
    public const int MaxBatchBytes = 262_144;
}
