using System.Buffers;

namespace PubSubOverWs.LoadTest.Network.Proxy;

/// <summary>What one read brought, in an array of the pool.</summary>
/// <param name="Array">Goes back to the pool once it was passed on.</param>
/// <param name="Count">1 or more; 0: there was nothing more to read.</param>
/// <param name="ReadAt">On the proxy's clock.</param>
public readonly record struct Chunk(byte[] Array, int Count, TimeSpan ReadAt)
{
    public bool IsEnd => Count == 0;

    public ReadOnlyMemory<byte> Bytes => Array.AsMemory(0, Count);

    public static Chunk End(TimeSpan at) => new([], 0, at);

    /// <summary>The same, to be kept for a while: what is small in a large array is moved to one of its size.</summary>
    public Chunk Fitted()
    {
        if (Count > Array.Length / 2 || IsEnd)
            return this;
        var array = ArrayPool<byte>.Shared.Rent(Count);
        Bytes.CopyTo(array);
        Return();
        return this with { Array = array };
    }

    public void Return() => ArrayPool<byte>.Shared.Return(Array);
}
