using System.Buffers;

namespace PubSubOverWs.LoadTest.Faults.Proxying;

/// <summary>What one read brought, in an array of the pool.</summary>
/// <param name="Array">Goes back to the pool once it was passed on.</param>
/// <param name="Count">1 or more.</param>
/// <param name="ReadAt">On the proxy's clock.</param>
public readonly record struct Chunk(byte[] Array, int Count, TimeSpan ReadAt)
{
    public ReadOnlyMemory<byte> Bytes => Array.AsMemory(0, Count);

    public void Return() => ArrayPool<byte>.Shared.Return(Array);
}
