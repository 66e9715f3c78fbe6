namespace PubSubOverWs.Queues;

/// <summary>
/// A call to the queue failed as a whole, after its retries. The message is one sentence for the user: what, where, what to do.
/// </summary>
/// <param name="code">To decide on, as the queue names it, or a code of its client for calls without an answer.</param>
/// <param name="message">The sentence.</param>
/// <param name="isRetryable">See <see cref="IsRetryable"/>.</param>
/// <param name="innerException">The cause; null: there is none but the queue.</param>
public sealed class QueueException(string code, string message, bool isRetryable, Exception? innerException = null)
    : Exception(message, innerException)
{
    /// <summary>Of the queue, or of its client.</summary>
    public string Code { get; } = code;

    /// <summary>
    /// The fault may pass by itself (connection, server error, throttling, credentials that are not renewed): a later call may succeed.
    /// False: the same call fails again.
    /// </summary>
    public bool IsRetryable { get; } = isRetryable;

    /// <summary>
    /// Of a send: the queue may have it nevertheless, because this attempt or an earlier one of the call had no trustworthy answer.
    /// </summary>
    public bool MayHaveArrived { get; init; } = isRetryable;

    /// <summary>The same exception for a call whose earlier attempt may have arrived.</summary>
    public QueueException AfterOneThatMayHaveArrived() =>
        MayHaveArrived ? this : new QueueException(Code, Message, IsRetryable, this) { MayHaveArrived = true };
}
