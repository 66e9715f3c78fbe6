namespace PubSubOverWs.Sqs;

/// <summary>The result of one entry of a batch.</summary>
/// <param name="Failure">Null: done.</param>
/// <param name="MessageId">Of a sent message, as the queue named it; null for other calls and for failures.</param>
public readonly record struct EntryResult(EntryFailure? Failure, string? MessageId = null)
{
    public bool Succeeded => Failure is null;
}
