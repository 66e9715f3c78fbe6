namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Messages at a steady rate, sent and deleted as the pubsub server does.</summary>
/// <param name="P50">From when a message was due to when it was received, in milliseconds.</param>
/// <param name="P99">The same.</param>
/// <param name="Microseconds">CPU time of this process for each message.</param>
public sealed record PacedFigures(double P50, double P99, double Microseconds);
