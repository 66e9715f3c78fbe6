namespace PubSubOverWs.LocalSqs;

/// <summary>The numbers of messages of a queue at one moment. Exact, unlike those of SQS itself.</summary>
public readonly record struct QueueCounts(int Visible, int InFlight, int Delayed);
