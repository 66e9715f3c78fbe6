namespace PubSubOverWs.Sqs;

/// <summary>A message as it came from the queue.</summary>
/// <param name="MessageId">The queue's own id: the same in every receive of the message.</param>
/// <param name="ReceiptHandle">For this receive; a later receive of the same message makes it stale.</param>
/// <param name="Body">UTF-8, checked against the MD5 that came with it. Owned by the message.</param>
/// <param name="ApproximateReceiveCount">1 for the first receive; 0 when the queue did not say.</param>
public sealed record ReceivedMessage(string MessageId, string ReceiptHandle, ReadOnlyMemory<byte> Body, int ApproximateReceiveCount);
