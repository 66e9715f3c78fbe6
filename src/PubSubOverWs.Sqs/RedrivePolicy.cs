namespace PubSubOverWs.Sqs;

/// <summary>A message received more than <paramref name="MaxReceiveCount"/> times without a delete goes to the dead-letter queue.</summary>
/// <param name="DeadLetterTargetArn">ARN of a queue that exists (<see cref="QueueAttributes.Arn"/>).</param>
/// <param name="MaxReceiveCount">1 to 1,000.</param>
public sealed record RedrivePolicy(string DeadLetterTargetArn, int MaxReceiveCount);
