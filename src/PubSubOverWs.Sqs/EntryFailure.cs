namespace PubSubOverWs.Sqs;

/// <summary>Why the queue refused one entry of a batch that it otherwise took.</summary>
/// <param name="Code">As SQS names it, such as <see cref="SqsErrorCode.ReceiptHandleIsInvalid"/>.</param>
/// <param name="Message">What the queue said.</param>
/// <param name="SenderFault">True: a retry will not help. False: it was retried, and failed until the retries were used
/// up.</param>
public sealed record EntryFailure(string Code, string Message, bool SenderFault);
