namespace PubSubOverWs.Relay;

/// <summary>
/// The buffer of what a session has received and not acted on. An incomplete frame may grow to the largest size allowed; above a small
/// size its array counts, twice, because a message will be made of it.
/// </summary>
internal sealed class HeldInput(HeldMemory memory)
{
    private const int Copies = 2;
    private const int Small = Copies * 4096;

    private int _held;

    public PooledBuffer Buffer { get; } = new();

    /// <summary>Reserves memory for such a free end of the buffer. False: there is none left.</summary>
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
