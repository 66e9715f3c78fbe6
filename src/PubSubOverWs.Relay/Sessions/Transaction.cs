namespace PubSubOverWs.Relay;

/// <summary>The frames of a client between BEGIN and COMMIT. They take effect on COMMIT, and are dropped on ABORT.</summary>
internal sealed class Transaction
{
    /// <summary>
    /// The queue's limit for one envelope, which carries the messages of a transaction together; receipts and acknowledgements count as
    /// well.
    /// </summary>
    public const int MaxBytes = 1024 * 1024;

    // Bytes of a frame in the lists, in addition to its message.
    private const int PerFrame = MemoryBudget.PerMessage;

    // The envelope's own, whatever way it takes.
    private const int PerEnvelope = 256;

    private int _bytes;
    private int _encoded = PerEnvelope;

    public List<Message> Messages { get; } = [];

    /// <summary>ACK (true) and NACK.</summary>
    public List<(Subscription? Subscription, long Number, bool IsAck)> Acknowledgements { get; } = [];

    /// <summary>Receipts of the frames within: answered when the outcome is known, so that <c>taken</c> never says too much.</summary>
    public List<string> Receipts { get; } = [];

    public int Frames => Messages.Count + Acknowledgements.Count;

    /// <summary>Its memory, in bytes.</summary>
    public long Held => PerFrame + _bytes + ((long)PerFrame * Frames);

    /// <summary>
    /// The additional memory with this frame in it, in bytes. Null: its frames together would have more than <see cref="MaxBytes"/>, in
    /// memory or encoded for the queue.
    /// </summary>
    public long? Count(Message? message, string? receipt)
    {
        var bytes = (message?.Size ?? 0) + MemoryBudget.Of(receipt);
        var encoded = message?.MostEncoded ?? 0;
        if (_bytes + bytes > MaxBytes || _encoded + encoded > MaxBytes)
            return null;
        _bytes += bytes;
        _encoded += encoded;
        return PerFrame + bytes;
    }
}
