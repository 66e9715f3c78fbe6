namespace PubSubOverWs.Sqs;

/// <summary>
/// A call to the queue failed as a whole, after its retries. The message is one sentence for the user: what, where, what to do.
/// </summary>
public sealed class SqsException : Exception
{
    private bool _earlierMayHaveArrived;

    public SqsException(string code, string message, bool isRetryable, Exception? innerException = null)
        : base(message, innerException)
    {
        Code = code;
        IsRetryable = isRetryable;
    }

    /// <summary>One of <see cref="SqsErrorCode"/>, or another code of the queue.</summary>
    public string Code { get; }

    /// <summary>
    /// The fault may pass by itself (connection, server error, throttling, credentials that are not renewed): a later call may succeed.
    /// False: the same call fails again.
    /// </summary>
    public bool IsRetryable { get; }

    /// <summary>
    /// Of a send: the queue may have it nevertheless, because this attempt or an earlier one of the call had no trustworthy answer.
    /// </summary>
    public bool MayHaveArrived =>
        (IsRetryable && Code != SqsErrorCode.CredentialsNotRenewed) || _earlierMayHaveArrived || Code == SqsErrorCode.BadAnswer;

    /// <summary>The same exception for a call whose earlier attempt may have arrived.</summary>
    internal SqsException AfterOneThatMayHaveArrived() =>
        MayHaveArrived ? this : new SqsException(Code, Message, IsRetryable, this) { _earlierMayHaveArrived = true };
}
