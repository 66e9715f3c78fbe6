namespace PubSubOverWs.Sqs;

/// <summary>The settings of a queue. Null: not set, which leaves the default of SQS.</summary>
public sealed record QueueSettings
{
    /// <summary>How long a received message is hidden: 0 s to 12 h. Default 30 s.</summary>
    public TimeSpan? VisibilityTimeout { get; init; }

    /// <summary>How long the queue keeps a message: 60 s to 14 days. Default 4 days.</summary>
    public TimeSpan? MessageRetention { get; init; }

    /// <summary>How long a new message is hidden at first: 0 s to 15 min. Default 0 s.</summary>
    public TimeSpan? Delay { get; init; }

    /// <summary>The long poll of receives that name none: 0 s to 20 s. Default 0 s.</summary>
    public TimeSpan? ReceiveWaitTime { get; init; }

    /// <summary>Bytes of the largest message: 1024 to 1,048,576.</summary>
    public int? MaximumMessageSize { get; init; }

    /// <summary>Where messages go that were received too often.</summary>
    public RedrivePolicy? RedrivePolicy { get; init; }

    /// <summary>
    /// Who besides its owner may use the queue: an access policy in JSON, such as <see cref="TopicPolicy.Allow"/>. Default: none.
    /// </summary>
    public string? Policy { get; init; }
}

/// <summary>A message received more than <paramref name="MaxReceiveCount"/> times without a delete goes to the dead-letter queue.</summary>
/// <param name="DeadLetterTargetArn">ARN of a queue that exists (<see cref="QueueAttributes.Arn"/>).</param>
/// <param name="MaxReceiveCount">1 to 1,000.</param>
public sealed record RedrivePolicy(string DeadLetterTargetArn, int MaxReceiveCount);

/// <summary>A queue's counts and settings at one moment.</summary>
/// <param name="Arn">Its name in a <see cref="RedrivePolicy"/>, in an access policy and for <see cref="ISns.SubscribeQueueAsync"/>.</param>
/// <param name="Visible">Messages that a receive would get.</param>
/// <param name="InFlight">Messages received, neither deleted nor visible again.</param>
/// <param name="Delayed">Messages whose first delay has not passed.</param>
/// <param name="Settings">The settings in force.</param>
public sealed record QueueAttributes(string Arn, long Visible, long InFlight, long Delayed, QueueSettings Settings)
{
    /// <summary>When the queue was created, to the second; null: the server did not say.</summary>
    public DateTimeOffset? CreatedAt { get; init; }

    /// <summary>All of them: visible, in flight and delayed.</summary>
    public long Total => Visible + InFlight + Delayed;

    /// <summary>Nothing visible, in flight or delayed. On AWS trust it only when several answers over minutes agree.</summary>
    public bool IsEmpty => Total == 0;
}
