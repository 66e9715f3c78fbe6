namespace PubSubOverWs.LocalSqs;

/// <summary>The limits that SQS documents and this server keeps (quotas of August 2025).</summary>
public static class SqsLimit
{
    public const int BatchEntries = 10;

    /// <summary>Bytes of one message, body and attributes, and of all messages of a batch together.</summary>
    public const int MessageBytes = 1_048_576;

    /// <summary>Messages of one queue that may be in flight at once.</summary>
    public const int InFlight = 120_000;

    /// <summary>Attributes of one message.</summary>
    public const int MessageAttributes = 10;

    /// <summary>How long a message may be hidden, counted from its receive, whatever changes that meanwhile.</summary>
    public static readonly TimeSpan Visibility = TimeSpan.FromHours(12);

    /// <summary>How long after a purge the next one is refused, and after a delete the same name.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromSeconds(60);
}
