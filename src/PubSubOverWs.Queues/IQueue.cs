namespace PubSubOverWs.Queues;

/// <summary>
/// A client of a server of queues: what a pubsub server needs of one. Every call is safe from any thread. A call that the server did not
/// answer, or answered with an error, throws <see cref="QueueException"/> after its retries; results of single entries of a batch are
/// returned, never thrown. Queues deliver at least once and in best-effort order, and a retried send may create a duplicate.
/// </summary>
public interface IQueue
{
    /// <summary>Calls, bytes and empty receives so far.</summary>
    QueueTraffic Traffic { get; }

    /// <summary>Finds the queue of that name, its dead-letter queue and its parked queue, or creates them.</summary>
    /// <exception cref="QueueException">The server cannot be reached, or refused.</exception>
    ValueTask<QueueUrls> OpenAsync(string name, CancellationToken cancellationToken);

    /// <summary>Deletes the three, and what is in them. One that is gone already is no error.</summary>
    /// <exception cref="QueueException">The server cannot be reached, or refused.</exception>
    ValueTask DeleteAsync(QueueUrls urls, CancellationToken cancellationToken);

    /// <summary>All messages in a queue, whether they can be received or not. Approximate on AWS (up to minutes late).</summary>
    /// <exception cref="QueueException">There is no such queue.</exception>
    ValueTask<long> CountAsync(string queueUrl, CancellationToken cancellationToken);

    /// <summary>
    /// Sends 1 to 10 messages. Entries that failed on the queue's side are sent again, within the bound of retries.
    /// Returns one result per entry, in the order given.
    /// </summary>
    /// <param name="queueUrl">As the queue was opened.</param>
    /// <param name="entries">Bodies of 1 byte to 1 MiB, and no more than 1 MiB together (<see cref="QueueLimits"/>).</param>
    /// <param name="cancellationToken">Ends the call; the queue may have the messages nevertheless.</param>
    /// <exception cref="QueueException">None of the entries is known to be in the queue; when it is retryable, some may be.</exception>
    ValueTask<IReadOnlyList<EntryResult>> SendAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken);

    /// <summary>
    /// Waits up to <see cref="ReceiveRequest.WaitTime"/> for 1 to 10 messages; empty when none came. The returned messages are hidden
    /// from other receivers for the visibility time-out.
    /// </summary>
    /// <param name="queueUrl">As the queue was opened.</param>
    /// <param name="request">How many, how long to wait, how long to hide.</param>
    /// <param name="stopping">
    /// Keeps the call from being made or repeated. A call under way is left to end by itself, and its messages are returned:
    /// a call that is cut off would leave them hidden until their visibility runs out.
    /// </param>
    /// <exception cref="QueueException">The call failed.</exception>
    ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveAsync(string queueUrl, ReceiveRequest request, CancellationToken stopping);

    /// <summary>
    /// Removes 1 to 10 messages from the queue by the handles of their latest receive. To settle a message that is already gone succeeds.
    /// One result per handle, in order.
    /// </summary>
    /// <exception cref="QueueException">The call as a whole failed.</exception>
    ValueTask<IReadOnlyList<EntryResult>> SettleAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken);

    /// <summary>Hides 1 to 10 received messages for longer, or shows them again at once (zero). One result per entry, in order.</summary>
    /// <exception cref="QueueException">The call as a whole failed.</exception>
    ValueTask<IReadOnlyList<EntryResult>> HoldAsync(
        string queueUrl, IReadOnlyList<HoldEntry> entries, CancellationToken cancellationToken);
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
    public int MaxMessages { get; init; } = QueueLimits.MaxBatchEntries;

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
/// <param name="Code">As the queue names it, such as ReceiptHandleIsInvalid.</param>
/// <param name="Message">The queue's own text.</param>
/// <param name="SenderFault">True: a retry will not help. False: it was retried, and failed until the retries were used
/// up.</param>
public sealed record EntryFailure(string Code, string Message, bool SenderFault);

/// <summary>A message as it came from the queue.</summary>
/// <param name="MessageId">The queue's own id: the same in every receive of the message.</param>
/// <param name="ReceiptHandle">For this receive; a later receive of the same message makes it stale.</param>
/// <param name="Body">UTF-8, as it was sent. Owned by the message.</param>
/// <param name="ApproximateReceiveCount">1 for the first receive; 0 when the queue did not say.</param>
public sealed record ReceivedMessage(string MessageId, string ReceiptHandle, ReadOnlyMemory<byte> Body, int ApproximateReceiveCount);

/// <summary>A received message that is to be hidden for another time from now on.</summary>
/// <param name="ReceiptHandle">Of its latest receive.</param>
/// <param name="Visibility">0 s (visible at once) to 12 h, whole seconds, counted from now.</param>
public readonly record struct HoldEntry(string ReceiptHandle, TimeSpan Visibility);

/// <summary>The queue that is read, its dead-letter queue, and the queue where messages wait that cannot be held here.</summary>
/// <param name="Name">Of the first.</param>
/// <param name="Url">An identifier to pass back, and for sentences; never an address to connect to.</param>
/// <param name="DeadLetterUrl">Of the second.</param>
/// <param name="ParkedUrl">Of the third.</param>
public sealed record QueueUrls(string Name, string Url, string DeadLetterUrl, string ParkedUrl)
{
    /// <summary>It is the parked queue that is read.</summary>
    public bool IsParked => Url == ParkedUrl;

    /// <summary>Of all three.</summary>
    public IReadOnlyList<string> All => [Url, DeadLetterUrl, ParkedUrl];

    /// <summary>To read the parked queue.</summary>
    public QueueUrls Parked => this with { Url = ParkedUrl };
}

/// <summary>What one call may carry: the limits of SQS (its quotas of August 2025), to which every queue here keeps.</summary>
public static class QueueLimits
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
