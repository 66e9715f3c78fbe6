namespace PubSubOverWs.LocalSqs;

/// <summary>What only some messages have. It stands apart, so that it costs the others one reference.</summary>
/// <param name="GroupId">In a FIFO queue: within it order is kept. In a standard queue it is kept and shown, and means nothing.</param>
/// <param name="DeduplicationId">In a FIFO queue only: of messages that have the same, five minutes let one pass.</param>
/// <param name="Attributes">Null: none.</param>
public sealed record MessageExtras(string? GroupId, string? DeduplicationId = null, MessageAttributes? Attributes = null);
