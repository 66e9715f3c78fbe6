namespace PubSubOverWs.LocalSqs;

/// <summary>What a queue holds at one moment. Exact, unlike those of SQS itself.</summary>
public readonly record struct QueueCounts(int Visible, int InFlight, int Delayed);
