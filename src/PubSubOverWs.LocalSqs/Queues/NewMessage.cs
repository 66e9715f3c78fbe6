namespace PubSubOverWs.LocalSqs;

/// <summary>A message on its way into a queue.</summary>
/// <param name="Body">As it came.</param>
/// <param name="Delay">How long it is hidden at first; null: the queue's delay.</param>
/// <param name="Extras">Null: it has none of them. A FIFO queue requires a group and a deduplication id.</param>
public readonly record struct NewMessage(MessageBody Body, TimeSpan? Delay = null, MessageExtras? Extras = null);
