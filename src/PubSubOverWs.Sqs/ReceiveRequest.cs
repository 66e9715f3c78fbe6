namespace PubSubOverWs.Sqs;

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
