namespace PubSubOverWs.LoadTest.Queues;

/// <summary>A queue that a run made.</summary>
/// <param name="Name">As runs name them.</param>
/// <param name="Url">For calls.</param>
/// <param name="Age">Since it was made; null: the server does not say.</param>
/// <param name="Messages">Visible, in flight or delayed, as far as the server knows.</param>
/// <param name="TopicArn">The topic that feeds it, of a run with several pubsub servers; null: none that is there.</param>
public sealed record Leftover(string Name, string Url, TimeSpan? Age, long Messages, string? TopicArn = null);
