using System.Buffers.Binary;

namespace PubSubOverWs.Tests.Fuzz.Framing;

/// <summary>The frames that a server sent after its handshake, read strictly by RFC 6455.</summary>
internal sealed class ServerFrames
{
    public const int Pong = 10;

    public List<byte[]> Messages { get; } = [];

    /// <summary>The opcodes of the messages: text or binary.</summary>
    public List<int> Kinds { get; } = [];

    public List<byte[]> Pongs { get; } = [];

    /// <summary>The code of its close frame, 1005 where that has none; null: it sent no close frame.</summary>
    public int? Close { get; private set; }

    /// <summary>The opcodes of frames behind the close frame.</summary>
    public List<int> AfterClose { get; } = [];

    /// <summary>Bytes behind the last whole frame.</summary>
    public int Rest { get; private set; }

    /// <summary>What came is the beginning of what was expected.</summary>
    /// <param name="missing">How many at the end did not come; null: any number.</param>
    public static void AssertBegin(string what, List<byte[]> expected, List<byte[]> got, int? missing)
    {
        Assert.True(
            missing is null ? got.Count <= expected.Count : got.Count == expected.Count - missing,
            $"Of {expected.Count} {what} {got.Count} came, where {missing} were to be missing.");
        for (var i = 0; i < got.Count; i++)
            Assert.Equal(expected[i], got[i]);
    }

    public static ServerFrames Read(ReadOnlySpan<byte> bytes)
    {
        var frames = new ServerFrames();
        while (TryLength(bytes, out var start, out var length) && bytes.Length >= start + length)
        {
            if (frames.Close is not null)
                frames.AfterClose.Add(bytes[0] & 0x0F);
            // Final, not masked, no reserved bit: a server here never sends fragments.
            Assert.Equal(0x80, bytes[0] & 0xF0);
            frames.Add(bytes[0] & 0x0F, bytes.Slice(start, length));
            bytes = bytes[(start + length)..];
        }
        frames.Rest = bytes.Length;
        return frames;
    }

    private static bool TryLength(ReadOnlySpan<byte> bytes, out int start, out int length)
    {
        (start, length) = (2, bytes.Length > 1 ? bytes[1] : 0);
        Assert.True(length <= 127, "A server's frame is masked.");
        var more = length == 126 ? 2 : length == 127 ? 8 : 0;
        if (bytes.Length < start + more)
            return false;
        length = more switch
        {
            2 => BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]),
            8 => checked((int)BinaryPrimitives.ReadUInt64BigEndian(bytes[2..])),
            _ => length,
        };
        start += more;
        return bytes.Length > 1;
    }

    private void Add(int opcode, ReadOnlySpan<byte> payload)
    {
        switch (opcode)
        {
            case 1 or 2:
                Messages.Add(payload.ToArray());
                Kinds.Add(opcode);
                break;
            case 8:
                Close = payload.Length >= 2 ? BinaryPrimitives.ReadUInt16BigEndian(payload) : 1005;
                break;
            case Pong:
                Pongs.Add(payload.ToArray());
                break;
            default:
                Assert.Fail($"The server sent a frame of opcode {opcode}.");
                break;
        }
    }
}
