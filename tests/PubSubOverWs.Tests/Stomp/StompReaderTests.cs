using System.Text;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Stomp;

public class StompReaderTests
{
    [Fact]
    public void Every_command_is_known()
    {
        foreach (var command in Enum.GetValues<StompCommand>())
        {
            Assert.Equal(command, ReceivedBytes.ReadOne($"{command.ToString().ToUpperInvariant()}\n\n\0").Command);
        }
    }

    [Theory]
    [InlineData("send\n\n\0")]
    [InlineData("Send\n\n\0")]
    [InlineData("SENDS\n\n\0")]
    [InlineData(" SEND\n\n\0")]
    [InlineData("SEND \n\n\0")]
    [InlineData("\rSEND\n\n\0")]
    [InlineData("GET / HTTP/1.1\r\n\r\n")]
    [InlineData("\0")]
    public void An_unknown_command_is_refused(string text) => Assert.Contains("Unknown STOMP command", ReceivedBytes.Refused(text).Message);

    [Fact]
    public void A_command_line_longer_than_any_command_is_refused_before_it_ends()
    {
        Assert.Empty(ReceivedBytes.ReadAll("UNSUBSCRIBE\r"));
        Assert.Contains("'UNSUBSCRIBEDX'", ReceivedBytes.Refused("UNSUBSCRIBEDX").Message);
    }

    [Fact]
    public void NACK_is_not_a_command_of_1_0()
    {
        Assert.Contains("'NACK'", ReceivedBytes.Refused("NACK\nid:1\n\n\0", StompVersion.V10).Message);
        Assert.Equal(StompCommand.Nack, ReceivedBytes.ReadOne("NACK\nid:1\n\n\0", StompVersion.V11).Command);
    }

    [Fact]
    public void A_line_may_end_with_CR_LF()
    {
        var frame = ReceivedBytes.ReadOne("\r\nSEND\r\ndestination:/queue/a\r\nempty:\r\n\r\nbody\r\n\0\r\n");

        Assert.Equal([("destination", "/queue/a"), ("empty", "")], frame.Headers);
        Assert.Equal("body\r\n", frame.Body);
    }

    [Fact]
    public void Several_frames_and_the_line_ends_between_them_are_read_in_turn()
    {
        var frames = ReceivedBytes.ReadAll("SEND\n\na\0\n\nSEND\n\nb\0\r\nACK\nid:1\n\n\0\n");

        Assert.Equal([StompCommand.Send, StompCommand.Send, StompCommand.Ack], frames.Select(frame => frame.Command));
        Assert.Equal("ab", frames[0].Body + frames[1].Body);
    }

    [Fact]
    public void A_heart_beat_is_consumed_without_a_frame()
    {
        var stream = new ReceivedBytes();

        stream.Append("\n"u8);
        stream.Append("\r\n\n"u8);

        Assert.Empty(stream.Frames);
        Assert.Equal((4, 0), (stream.Skipped, stream.Pending));
    }

    [Fact]
    public void Half_a_line_end_waits_for_the_other_half()
    {
        var stream = new ReceivedBytes();

        stream.Append("\r"u8);
        Assert.Equal((0, 1), (stream.Skipped, stream.Pending));

        stream.Append("\nSEND\n\n\0"u8);
        Assert.Single(stream.Frames);
    }

    [Fact]
    public void A_frame_that_comes_byte_by_byte_is_one_frame()
    {
        var stream = new ReceivedBytes();
        foreach (var value in "SEND\r\ndestination:/a\\cb\r\nreceipt:1\r\n\r\nthe body\0"u8.ToArray())
        {
            Assert.Empty(stream.Frames);
            stream.Append([value]);
        }

        Assert.Equal([("destination", "/a:b"), ("receipt", "1")], Assert.Single(stream.Frames).Headers);
        Assert.Equal("the body", stream.Frames[0].Body);
    }

    [Fact]
    public void A_body_in_many_pieces_is_not_scanned_again()
    {
        const int Pieces = 2_000;
        var limits = new StompLimits { MaxBodyBytes = int.MaxValue };
        var reader = new StompReader(limits);
        var bytes = new byte[200 + (Pieces * 1_000)];
        var head = "SEND\n\n"u8;
        bytes.AsSpan().Fill((byte)'x');
        head.CopyTo(bytes);

        for (var length = head.Length; length < bytes.Length; length += 1_000)
        {
            // What was looked at once is never read again: a NUL put there later is not seen.
            Assert.False(reader.TryRead(bytes.AsSpan(0, length), out _, out _));
            bytes[length - 1] = 0;
        }
    }

    [Fact]
    public void A_frame_is_in_place_and_valid_while_its_buffer_is()
    {
        var reader = new StompReader(new StompLimits());
        var bytes = Encoding.UTF8.GetBytes("SEND\ndestination:/queue/a\n\nbody\0");

        Assert.True(reader.TryRead(bytes, out var frame, out _));
        bytes[^2] = (byte)'Y';
        bytes[5] = (byte)'D';

        Assert.Equal("bodY"u8, frame.Body);
        Assert.Equal("Destination"u8, frame.Name(0));
        Assert.Null(frame.GetString("destination"u8));
    }
}
