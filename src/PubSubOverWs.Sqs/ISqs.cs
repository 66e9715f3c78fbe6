namespace PubSubOverWs.Sqs;

/// <summary>
/// The part of Amazon SQS that this project uses. Every call is safe from any thread. A call that the queue did not answer, or answered
/// with an error, throws <see cref="SqsException"/> after its retries; results of single entries of a batch are returned, never thrown.
/// Standard queues deliver at least once and in best-effort order, and a retried send may create a duplicate.
/// </summary>
public interface ISqs
{
    /// <summary>Calls, bytes and empty receives so far.</summary>
    SqsTraffic Traffic { get; }

    /// <summary>
    /// Creates the queue, or finds it when it exists with the same settings. Returns its URL: an identifier to pass back,
    /// never an address to connect to.
    /// </summary>
    /// <param name="name">1 to 80 characters of <c>[A-Za-z0-9_-]</c>. A deleted name is free again after 60 s.</param>
    /// <param name="settings">Of the new queue.</param>
    /// <param name="cancellationToken">Ends the call; the queue may exist nevertheless.</param>
    /// <exception cref="SqsException"><see cref="SqsErrorCode.QueueNameExists"/>: it exists with other settings.</exception>
    ValueTask<string> CreateQueueAsync(string name, QueueSettings settings, CancellationToken cancellationToken);

    /// <exception cref="SqsException"><see cref="SqsErrorCode.QueueDoesNotExist"/>.</exception>
    ValueTask<string> GetQueueUrlAsync(string name, CancellationToken cancellationToken);

    /// <summary>Counts and settings. The counts are approximate on AWS (up to minutes late), exact on LocalSqs.</summary>
    /// <exception cref="SqsException"><see cref="SqsErrorCode.QueueDoesNotExist"/>.</exception>
    ValueTask<QueueAttributes> GetQueueAttributesAsync(string queueUrl, CancellationToken cancellationToken);

    /// <summary>Deletes the queue and its messages.</summary>
    /// <exception cref="SqsException"><see cref="SqsErrorCode.QueueDoesNotExist"/>.</exception>
    ValueTask DeleteQueueAsync(string queueUrl, CancellationToken cancellationToken);

    /// <summary>The URLs of all queues whose name starts with <paramref name="prefix"/> (empty: of all queues), across pages.</summary>
    ValueTask<IReadOnlyList<string>> ListQueuesAsync(string prefix, CancellationToken cancellationToken);

    /// <summary>
    /// Sends 1 to 10 messages. Entries that failed on the queue's side are sent again, within the bound of retries.
    /// Returns one result per entry, in the order given.
    /// </summary>
    /// <param name="queueUrl">As <see cref="CreateQueueAsync"/> or <see cref="GetQueueUrlAsync"/> returned it.</param>
    /// <param name="entries">Bodies of 1 byte to 1 MiB, and no more than 1 MiB together (<see cref="SqsLimits"/>).</param>
    /// <param name="cancellationToken">Ends the call; the queue may have the messages nevertheless.</param>
    /// <exception cref="SqsException">None of the entries is known to be in the queue; when it is retryable, some may be.</exception>
    ValueTask<IReadOnlyList<EntryResult>> SendMessageBatchAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken);

    /// <summary>
    /// Waits up to <see cref="ReceiveRequest.WaitTime"/> for 1 to 10 messages; empty when none came. The returned messages are hidden
    /// from other receivers for the visibility time-out.
    /// </summary>
    /// <param name="queueUrl">As <see cref="CreateQueueAsync"/> or <see cref="GetQueueUrlAsync"/> returned it.</param>
    /// <param name="request">How many, how long to wait, how long to hide.</param>
    /// <param name="stopping">
    /// Keeps the call from being made or repeated. A call under way is left to end by itself, and its messages are returned:
    /// a call that is cut off would leave them hidden until their visibility runs out.
    /// </param>
    /// <exception cref="SqsException"><see cref="SqsErrorCode.OverLimit"/>: a short poll while 120,000 messages are in flight.</exception>
    ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveMessagesAsync(string queueUrl, ReceiveRequest request, CancellationToken stopping);

    /// <summary>
    /// Deletes 1 to 10 messages by their latest receipt handle. Deleting a message that is already gone succeeds. One result per handle, in
    /// order.
    /// </summary>
    /// <exception cref="SqsException">The call as a whole failed.</exception>
    ValueTask<IReadOnlyList<EntryResult>> DeleteMessageBatchAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken);

    /// <summary>Hides 1 to 10 received messages for longer, or shows them again at once (zero). One result per entry, in order.</summary>
    /// <exception cref="SqsException">The call as a whole failed.</exception>
    ValueTask<IReadOnlyList<EntryResult>> ChangeMessageVisibilityBatchAsync(
        string queueUrl, IReadOnlyList<VisibilityEntry> entries, CancellationToken cancellationToken);
}

/// <summary>One message to send.</summary>
/// <param name="Body">
/// UTF-8, 1 byte to 1 MiB, of the characters that SQS accepts: #x9 #xA #xD #x20-#xD7FF #xE000-#xFFFD #x10000-#x10FFFF. Must not change
/// until the call has ended.
/// </param>
/// <param name="Delay">How long the message is hidden at first: 0 s to 15 min, whole seconds. Null: the queue's own delay.</param>
public readonly record struct SendEntry(ReadOnlyMemory<byte> Body, TimeSpan? Delay = null);

/// <summary>How to receive.</summary>
public sealed record ReceiveRequest
{
    /// <summary>1 to 10.</summary>
    public int MaxMessages { get; init; } = SqsLimits.MaxBatchEntries;

    /// <summary>How long the queue may keep the call open while it has nothing: 0 s (short poll) to 20 s, whole seconds.</summary>
    public TimeSpan WaitTime { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>
    /// How long the messages are hidden from others: 0 s to 12 h, whole seconds. Null: the queue's own visibility time-out.
    /// </summary>
    public TimeSpan? Visibility { get; init; }
}

/// <summary>The result of one entry of a batch.</summary>
/// <param name="Failure">Null: done.</param>
/// <param name="MessageId">Of a sent message, as the queue named it; null for other calls and for failures.</param>
public readonly record struct EntryResult(EntryFailure? Failure, string? MessageId = null)
{
    public bool Succeeded => Failure is null;
}

/// <summary>Why the queue refused one entry of a batch that it otherwise took.</summary>
/// <param name="Code">As SQS names it, such as <see cref="SqsErrorCode.ReceiptHandleIsInvalid"/>.</param>
/// <param name="Message">The queue's own text.</param>
/// <param name="SenderFault">True: a retry will not help. False: it was retried, and failed until the retries were used
/// up.</param>
public sealed record EntryFailure(string Code, string Message, bool SenderFault);

/// <summary>A message as it came from the queue.</summary>
/// <param name="MessageId">The queue's own id: the same in every receive of the message.</param>
/// <param name="ReceiptHandle">For this receive; a later receive of the same message makes it stale.</param>
/// <param name="Body">UTF-8, checked against the MD5 that came with it. Owned by the message.</param>
/// <param name="ApproximateReceiveCount">1 for the first receive; 0 when the queue did not say.</param>
public sealed record ReceivedMessage(string MessageId, string ReceiptHandle, ReadOnlyMemory<byte> Body, int ApproximateReceiveCount);

/// <summary>A received message that is to be hidden for another time from now on.</summary>
/// <param name="ReceiptHandle">Of its latest receive.</param>
/// <param name="Visibility">0 s (visible at once) to 12 h, whole seconds, counted from now.</param>
public readonly record struct VisibilityEntry(string ReceiptHandle, TimeSpan Visibility);

/// <summary>The kinds of call that are counted separately.</summary>
public enum SqsCall
{
    Send,
    Receive,
    Delete,
    ChangeVisibility,

    /// <summary>Everything about queues: create, find, attributes, list, delete.</summary>
    Other,
}

/// <summary>The limits of SQS itself, as its documentation names them (quotas of August 2025).</summary>
public static class SqsLimits
{
    /// <summary>Entries in one batch call, and messages in one receive.</summary>
    public const int MaxBatchEntries = 10;

    /// <summary>Bytes of UTF-8 in one message body.</summary>
    public const int MaxMessageBytes = 1_048_576;

    /// <summary>Bytes of all message bodies of one batch together.</summary>
    public const int MaxBatchBytes = 1_048_576;

    /// <summary>The longest first delay of a message.</summary>
    public static readonly TimeSpan MaxDelay = TimeSpan.FromMinutes(15);
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
