namespace PubSubOverWs.Sqs;

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
