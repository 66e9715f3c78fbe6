namespace PubSubOverWs.Relay;

/// <summary>
/// The buffer of what a session has received and not acted on. A frame of which a part is missing may grow to the largest there is: beyond
/// a small one its array counts, twice, for a message
/// will be made of it.
/// </summary>
internal sealed class HeldInput(HeldMemory memory)
{
    private const int Copies = 2;
    private const int Small = Copies * 4096;

    private int _held;

    public PooledBuffer Buffer { get; } = new();

    /// <summary>Sees that the buffer may have such a free end. False: there is no memory for it.</summary>
    public bool TryHold(int free)
    {
        var held = Copies * Buffer.LengthFor(free);
        if (held <= Math.Max(_held, Small))
            return true;
        if (!memory.TryAdd(held - _held))
            return false;
        _held = held;
        return true;
    }

    /// <summary>Gives the array back; the buffer is empty and can be used again.</summary>
    public void Release()
    {
        Buffer.Release();
        if (_held == 0)
            return;
        memory.Remove(_held);
        _held = 0;
    }
}
