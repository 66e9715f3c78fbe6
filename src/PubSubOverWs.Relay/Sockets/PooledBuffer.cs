using System.Buffers;
using System.Globalization;
using System.Numerics;

namespace PubSubOverWs.Relay;

/// <summary>Bytes in one pooled array, that grows and goes back to the pool; contiguous, for the STOMP reader and writer.</summary>
internal sealed class PooledBuffer : IBufferWriter<byte>
{
    private byte[] _array = [];
    private int _start;
    private int _end;

    public int Count => _end - _start;
    public ReadOnlySpan<byte> Span => _array.AsSpan(_start, Count);
    public ReadOnlyMemory<byte> Memory => _array.AsMemory(_start, Count);

    /// <summary>How long the array will be once <see cref="GetMemory"/> has made such a free end, at most.</summary>
    public int LengthFor(int free) =>
        _array.Length - Count >= free ? _array.Length : (int)BitOperations.RoundUpToPowerOf2((uint)Longer(free));

    /// <summary>The free end, at least <paramref name="sizeHint"/> long; <see cref="Advance"/> says how much of it was filled.</summary>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(Math.Max(sizeHint, 1));
        return _array.AsMemory(_end);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(Math.Max(sizeHint, 1));
        return _array.AsSpan(_end);
    }

    public void Advance(int count) => _end += count;

    public void Append(scoped ReadOnlySpan<byte> bytes)
    {
        Reserve(bytes.Length);
        bytes.CopyTo(_array.AsSpan(_end));
        _end += bytes.Length;
    }

    /// <summary>A decimal number, without thousands separators.</summary>
    public void Append(long number)
    {
        const int LongestNumber = 20;
        number.TryFormat(GetSpan(LongestNumber), out var digits, provider: CultureInfo.InvariantCulture);
        _end += digits;
    }

    /// <summary>Drops bytes at the front.</summary>
    public void Consume(int count)
    {
        _start += count;
        if (_start == _end)
            _start = _end = 0;
    }

    /// <summary>Gives the array back; the buffer is empty and can be used again.</summary>
    public void Release()
    {
        if (_array.Length > 0)
            ArrayPool<byte>.Shared.Return(_array);
        _array = [];
        _start = _end = 0;
    }

    private void Reserve(int free)
    {
        if (_array.Length - _end >= free)
            return;
        var count = Count;
        if (_array.Length - count >= free)
        {
            _array.AsSpan(_start, count).CopyTo(_array);
        }
        else
        {
            var larger = ArrayPool<byte>.Shared.Rent(Longer(free));
            _array.AsSpan(_start, count).CopyTo(larger);
            if (_array.Length > 0)
                ArrayPool<byte>.Shared.Return(_array);
            _array = larger;
        }
        _start = 0;
        _end = count;
    }

    private int Longer(int free) => Math.Max(Count + free, Math.Max(2 * Count, 4096));
}

/// <summary>
/// The buffer of what a session has received and not acted on. An incomplete frame may grow to the largest size allowed; above a small
/// size its array counts, twice, because a message will be made of it.
/// </summary>
internal sealed class InputBuffer(MemoryReservation memory)
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
