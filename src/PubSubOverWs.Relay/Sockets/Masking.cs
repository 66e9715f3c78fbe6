using System.Numerics;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace PubSubOverWs.Relay;

/// <summary>The masking of a client's payload (RFC 6455, 5.3).</summary>
internal static class Masking
{
    private const int BitsOfByte = 8;

    /// <summary>Copies and unmasks.</summary>
    /// <param name="from">Masked.</param>
    /// <param name="to">As long, at least.</param>
    /// <param name="mask">The key, in the order of its bytes; its first is for the first of <paramref name="from"/>.</param>
    public static void Copy(ReadOnlySpan<byte> from, Span<byte> to, uint mask)
    {
        var wide = Vector128.Create(mask).AsByte();
        var at = 0;
        for (; from.Length - at >= Vector128<byte>.Count; at += Vector128<byte>.Count)
            (Vector128.Create(from[at..]) ^ wide).CopyTo(to[at..]);
        // A vector is a multiple of the key.
        var key = MemoryMarshal.AsBytes(new ReadOnlySpan<uint>(in mask));
        for (; at < from.Length; at++)
            to[at] = (byte)(from[at] ^ key[at % sizeof(uint)]);
    }

    /// <summary>The key for what follows <paramref name="count"/> bytes.</summary>
    public static uint After(uint mask, int count)
    {
        var bits = count % sizeof(uint) * BitsOfByte;
        return BitConverter.IsLittleEndian ? BitOperations.RotateRight(mask, bits) : BitOperations.RotateLeft(mask, bits);
    }
}
