using System.Buffers;
using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace PubSubOverWs.Relay;

/// <summary>The head of a frame that a client sent (RFC 6455, 5.2).</summary>
/// <param name="IsFinal">It is the last of its message; control frames always are.</param>
/// <param name="Length">Bytes of payload behind the head.</param>
/// <param name="Mask">The key, in the order of its bytes.</param>
internal readonly record struct FrameHead(Opcode Opcode, bool IsFinal, long Length, uint Mask)
{
    /// <summary>Bytes of the longest head.</summary>
    public const int MaxBytes = 14;

    /// <summary>Most payload of a control frame (5.5).</summary>
    public const int MaxControl = 125;

    /// <summary>Bytes of the longest head of a server's frame, which has no mask.</summary>
    public const int MaxWritten = 10;

    // What is written in one piece may leave as much of the output's last block unused.
    private const int MaxAtOnce = 512;

    private const int Final = 0x80, Reserved = 0x70, OpcodeBits = 0x0F, Masked = 0x80, LengthBits = 0x7F;
    private const int TwoBytes = 126, KeyBytes = 4;

    public bool IsControl => Opcode >= Opcode.Close;

    /// <summary>Of a frame, by its first byte. Those below <see cref="Opcode.Close"/> have data.</summary>
    public static Opcode ReadOpcode(byte first) => (Opcode)(first & OpcodeBits);

    /// <summary>Reads the head at the start of <paramref name="bytes"/>.</summary>
    /// <returns>Bytes of the head; 0: more must come; -1: no frame begins so.</returns>
    public static int Read(ReadOnlySpan<byte> bytes, out FrameHead head)
    {
        head = default;
        if (bytes.IsEmpty)
            return 0;
        var opcode = ReadOpcode(bytes[0]);
        var isFinal = (bytes[0] & Final) != 0;
        if ((bytes[0] & Reserved) != 0 || opcode is (> Opcode.Binary and < Opcode.Close) or > Opcode.Pong)
            return -1;
        if (bytes.Length < 2)
            return 0;
        var word = bytes[1] & LengthBits;
        // A client masks all of its frames (5.1). A control frame has no fragments (5.5).
        if ((bytes[1] & Masked) == 0 || (opcode >= Opcode.Close && !isFinal))
            return -1;
        var width = word < TwoBytes ? 0 : word == TwoBytes ? sizeof(ushort) : sizeof(ulong);
        var size = 2 + width + KeyBytes;
        if (bytes.Length < 2 + width)
            return 0;
        var length = width switch
        {
            0 => word,
            sizeof(ushort) => BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]),
            _ => BinaryPrimitives.ReadInt64BigEndian(bytes[2..]),
        };
        // The most significant bit of a length must be 0. A longer form than is needed is taken, as the framework takes it.
        if (length < 0 || (opcode >= Opcode.Close && length > MaxControl))
            return -1;
        if (bytes.Length < size)
            return 0;
        head = new FrameHead(opcode, isFinal, length, MemoryMarshal.Read<uint>(bytes[(size - KeyBytes)..]));
        return size;
    }

    /// <summary>Writes a server's frame: final, and not masked.</summary>
    /// <param name="payload">At most 125 bytes of a control frame.</param>
    /// <returns>Bytes of the frame.</returns>
    public static int Write(IBufferWriter<byte> output, Opcode opcode, ReadOnlySpan<byte> payload)
    {
        var isShort = payload.Length <= MaxAtOnce;
        var room = output.GetSpan(isShort ? MaxWritten + payload.Length : MaxWritten);
        var head = Write(room, opcode, payload.Length);
        if (isShort)
            payload.CopyTo(room[head..]);
        output.Advance(isShort ? head + payload.Length : head);
        if (!isShort)
            output.Write(payload);
        return head + payload.Length;
    }

    private static int Write(Span<byte> to, Opcode opcode, int length)
    {
        to[0] = (byte)(Final | (int)opcode);
        switch (length)
        {
            case < TwoBytes:
                to[1] = (byte)length;
                return 2;
            case <= ushort.MaxValue:
                to[1] = TwoBytes;
                BinaryPrimitives.WriteUInt16BigEndian(to[2..], (ushort)length);
                return 2 + sizeof(ushort);
            default:
                to[1] = TwoBytes + 1;
                BinaryPrimitives.WriteUInt64BigEndian(to[2..], (ulong)length);
                return 2 + sizeof(ulong);
        }
    }
}

/// <summary>What a frame is (RFC 6455, 11.8).</summary>
internal enum Opcode
{
    Continuation = 0,
    Text = 1,
    Binary = 2,
    Close = 8,
    Ping = 9,
    Pong = 10,
}

/// <summary>The masking of a client's payload (RFC 6455, 5.3).</summary>
internal static class Masking
{
    private const int BitsOfByte = 8;

    /// <summary>Copies and unmasks.</summary>
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
