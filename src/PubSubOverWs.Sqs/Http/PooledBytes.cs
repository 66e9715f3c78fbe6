using System.Buffers;

namespace PubSubOverWs.Sqs;

/// <summary>
/// A growing buffer from the shared pool, of the client and of LocalSqs. If it is not disposed the garbage collector takes it, which is
/// safe too.
/// </summary>
internal sealed class PooledBytes(int capacity) : IBufferWriter<byte>, IDisposable
{
    private byte[] _bytes = ArrayPool<byte>.Shared.Rent(capacity);
    private int _length;

    public ReadOnlyMemory<byte> Written => _bytes.AsMemory(0, _length);

    public void Advance(int count) => _length += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _bytes.AsMemory(_length);
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    public void Clear() => _length = 0;

    public void Dispose()
    {
        var bytes = _bytes;
        _bytes = [];
        _length = 0;
        if (bytes.Length > 0)
            ArrayPool<byte>.Shared.Return(bytes);
    }

    private void EnsureRoom(int sizeHint)
    {
        if (_bytes.Length - _length >= Math.Max(sizeHint, 1))
            return;
        var larger = ArrayPool<byte>.Shared.Rent(checked(Math.Max(_length + sizeHint, _bytes.Length * 2)));
        _bytes.AsSpan(0, _length).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = larger;
    }
}
