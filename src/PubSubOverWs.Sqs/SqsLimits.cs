namespace PubSubOverWs.Sqs;

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
