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
        (_start, _end) = (0, count);
    }

    private int Longer(int free) => Math.Max(Count + free, Math.Max(2 * Count, 4096));
}
