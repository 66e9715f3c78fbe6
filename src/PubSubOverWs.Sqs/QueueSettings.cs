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
