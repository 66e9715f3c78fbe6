namespace PubSubOverWs.Relay;

/// <summary>
/// Answers behind those that wait in an outbox: they count with what the client sent, and not in the memory that messages share. Not
/// thread-safe.
/// </summary>
/// <param name="sent">Of the client.</param>
internal sealed class OwedAnswers(HeldMemory sent)
{
    private readonly Queue<byte[]> _frames = [];

    public void Add(byte[] frame)
    {
        _frames.Enqueue(frame);
        sent.Add(BytesOf(frame));
    }

    /// <summary>Null: there is none.</summary>
    public byte[]? TakeFirst()
    {
        if (!_frames.TryDequeue(out var frame))
            return null;
        sent.Remove(BytesOf(frame));
        return frame;
    }

    public void Forget()
    {
        sent.Remove(_frames.Sum(BytesOf));
        _frames.Clear();
    }

    private static long BytesOf(byte[] frame) => frame.Length + MemoryBudget.PerMessage;
}
