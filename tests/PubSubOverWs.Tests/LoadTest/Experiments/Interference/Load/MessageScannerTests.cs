using System.Text;
using PubSubOverWs.LoadTest.Experiments.Interference.Load;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Interference.Load;

public sealed class MessageScannerTests
{
    private readonly List<(byte Opcode, string Beginning, long Length)> _seen = [];

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(1_000)]
    [InlineData(1_000_000)]
    public void Messages_of_all_sizes_are_found_however_their_bytes_come(int piece)
    {
        byte[] bytes =
        [
            .. ServerFrames.Write(Opcodes.Text, "one"u8), .. ServerFrames.Write(Opcodes.Text, new byte[300]),
            .. ServerFrames.Write(Opcodes.Text, []), .. ServerFrames.Write(Opcodes.Binary, new byte[70_000]),
            .. ServerFrames.Write(Opcodes.Text, "two"u8),
        ];
        var scanner = Scan(bytes, piece);

        Assert.Equal(
            [(1, "one", 3), (1, "\0\0\0\0", 300), (1, "", 0), (2, "\0\0\0\0", 70_000), (1, "two", 3)], _seen);
        Assert.Equal(70_306, scanner.PayloadBytes);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(1_000)]
    public void A_ping_between_the_fragments_of_a_message_does_not_break_it(int piece)
    {
        byte[] first = ServerFrames.Write(Opcodes.Text, "ab"u8);
        first[0] = 0x01;
        var scanner = Scan(
            [.. first, .. ServerFrames.Write(Opcodes.Ping, "p"u8), .. ServerFrames.Write(Opcodes.Continuation, "cd"u8)], piece);

        Assert.Equal([(Opcodes.Ping, "p", 1), (1, "abcd", 4)], _seen);
        Assert.Equal(4, scanner.PayloadBytes);
    }

    [Fact]
    public void Bytes_of_a_message_that_has_not_ended_count()
    {
        Assert.Equal(100, Scan(ServerFrames.Write(Opcodes.Text, new byte[500])[..104], 7).PayloadBytes);
        Assert.Empty(_seen);
    }

    [Fact]
    public void A_masked_frame_is_no_servers() => Assert.Throws<InvalidDataException>(() => Scan([0x81, 0x80], 2));

    private MessageScanner Scan(byte[] bytes, int piece)
    {
        var scanner = new MessageScanner(
            kept: 4, (opcode, beginning, length) => _seen.Add((opcode, Encoding.ASCII.GetString(beginning), length)));
        foreach (var part in bytes.Chunk(piece))
            scanner.Read(part);
        return scanner;
    }
}
