namespace PubSubOverWs.LocalSqs;

/// <summary>The properties of only some messages, kept separately so that they cost the others one reference.</summary>
/// <param name="GroupId">In a FIFO queue order is kept within a group. In a standard queue it is kept and shown, and has no effect.</param>
/// <param name="DeduplicationId">In a FIFO queue only: of messages with the same id, one is delivered in five minutes.</param>
/// <param name="Attributes">Null: none.</param>
public sealed record MessageExtras(string? GroupId, string? DeduplicationId = null, MessageAttributes? Attributes = null);
