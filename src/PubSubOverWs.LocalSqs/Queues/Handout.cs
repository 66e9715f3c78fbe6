namespace PubSubOverWs.LocalSqs;

/// <summary>A message as one receive got it: a copy of the values that the next receive may change.</summary>
/// <param name="Number">The message's number in the process.</param>
/// <param name="Receipt">Which receive of the message this is.</param>
/// <param name="Body">As it came.</param>
/// <param name="SentAt">Milliseconds since 1970 (UTC).</param>
/// <param name="FirstReceivedAt">Milliseconds since 1970 (UTC).</param>
/// <param name="ReceiveCount">1 for the first receive.</param>
/// <param name="Extras">Null: it has none of them.</param>
public readonly record struct Handout(
    ulong Number, uint Receipt, MessageBody Body, long SentAt, long FirstReceivedAt, int ReceiveCount, MessageExtras? Extras);
