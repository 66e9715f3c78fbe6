namespace PubSubOverWs.LoadTest.Load.Drain;

/// <summary>Where the queues of the servers under test can be asked for their counts.</summary>
/// <param name="Sqs">A client of the endpoint.</param>
/// <param name="Urls">The queues that messages pass: one, or those of all nodes with the one that they share.</param>
/// <param name="DeadLetterUrl">Their dead-letter queue; null: they have none.</param>
public sealed record QueueLocation(PubSubOverWs.Sqs.ISqs Sqs, IReadOnlyList<string> Urls, string? DeadLetterUrl);
