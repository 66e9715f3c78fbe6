namespace PubSubOverWs.LoadTest.Queues;

/// <summary>A queue that a run made.</summary>
/// <param name="Name">As runs name them.</param>
/// <param name="Url">For calls.</param>
/// <param name="Age">Since it was made; null: the server does not say.</param>
/// <param name="Messages">Visible, in flight or delayed, as far as the server knows.</param>
public sealed record Leftover(string Name, string Url, TimeSpan? Age, long Messages);
