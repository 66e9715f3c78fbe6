namespace PubSubOverWs.Relay;

/// <summary>One thing to write: a message for a subscription, or the ready bytes of another frame.</summary>
/// <param name="Subscription">Whose message it is; null for a control frame.</param>
/// <param name="Delivery">The message; null for a control frame.</param>
/// <param name="Number">The message's number within its subscription, from 1.</param>
/// <param name="Control">RECEIPT, ERROR, CONNECTED or a heart-beat, encoded; null for a message.</param>
internal readonly record struct OutboxEntry(Subscription? Subscription, Delivery? Delivery, long Number, byte[]? Control)
{
    public int Bytes => Control?.Length ?? Delivery!.Message.Size;
}
