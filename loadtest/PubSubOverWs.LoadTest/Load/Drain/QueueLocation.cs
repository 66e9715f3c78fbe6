namespace PubSubOverWs.LoadTest.Load.Drain;

/// <summary>Where the queue of the server under test can be asked for its counts.</summary>
/// <param name="Sqs">A client of the endpoint.</param>
/// <param name="Url">The queue.</param>
/// <param name="DeadLetterUrl">Its dead-letter queue; null: it has none.</param>
public sealed record QueueLocation(PubSubOverWs.Sqs.ISqs Sqs, string Url, string? DeadLetterUrl);
