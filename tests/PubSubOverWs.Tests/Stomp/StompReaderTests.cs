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

    [Fact]
    public void Without_a_content_length_the_body_ends_at_the_first_NUL()
    {
        Assert.Equal(["a\n", "b"], ReceivedBytes.ReadAll("SEND\n\na\n\0SEND\n\nb\0").Select(frame => frame.Body));
    }

    [Fact]
    public void With_a_content_length_the_body_may_hold_NUL()
    {
        Assert.Equal("a\0b\0", ReceivedBytes.ReadOne("SEND\ncontent-length:4\n\na\0b\0\0").Body);
        Assert.Equal("", ReceivedBytes.ReadOne("SEND\ncontent-length:0\n\n\0").Body);
        Assert.Empty(ReceivedBytes.ReadAll("SEND\ncontent-length:5\n\na\0b\0\0"));
    }

    [Theory]
    [InlineData("SEND\ncontent-length:3\n\nabcd\0")]
    [InlineData("SEND\ncontent-length:0\n\nabcd\0")]
    public void A_missing_NUL_after_the_body_is_refused(string text) =>
        Assert.Contains("no NUL after", ReceivedBytes.Refused(text).Message);

    [Theory]
    [InlineData("-1")]
    [InlineData("+1")]
    [InlineData("")]
    [InlineData(" 1")]
    [InlineData("1 ")]
    [InlineData("0x1")]
    [InlineData("1.0")]
    [InlineData("1000000000000000000000")]
    [InlineData("18446744073709551617")]
    public void A_content_length_that_is_not_a_number_of_bytes_is_refused(string value) =>
        Assert.Contains($"The content-length '{value}'", ReceivedBytes.Refused($"SEND\ncontent-length:{value}\n\na\0").Message);

    [Fact]
    public void A_repeated_content_length_must_say_the_same()
    {
        Assert.Equal("a\0", ReceivedBytes.ReadOne("SEND\ncontent-length:2\ncontent-length:02\n\na\0\0").Body);
        Assert.Contains("content-length '1'", ReceivedBytes.Refused("SEND\ncontent-length:2\ncontent-length:1\n\na\0\0").Message);
    }

    [Fact]
    public void A_longer_body_than_the_limit_is_refused_as_soon_as_it_shows()
    {
        var limits = new StompLimits { MaxBodyBytes = 10 };

        Assert.Equal(10, ReceivedBytes.ReadOne("SEND\n\n0123456789\0", limits: limits).Body.Length);
        Assert.Equal(10, ReceivedBytes.ReadOne("SEND\ncontent-length:10\n\n0123456789\0", limits: limits).Body.Length);
        Assert.Contains("longer than 10 bytes", ReceivedBytes.Refused("SEND\n\n0123456789a", limits: limits).Message);
        Assert.Contains("longer than 10 bytes", ReceivedBytes.Refused("SEND\ncontent-length:11\n\n", limits: limits).Message);
        Assert.Contains("longer than 10 bytes", ReceivedBytes.Refused("SEND\ncontent-length:99999999999\n\n", limits: limits).Message);
    }

    [Fact]
    public void Only_SEND_MESSAGE_and_ERROR_may_have_a_body()
    {
        foreach (var command in Enum.GetValues<StompCommand>())
        {
            var name = command.ToString().ToUpperInvariant();
            if (command is StompCommand.Send or StompCommand.Message or StompCommand.Error)
            {
                Assert.Equal("x", ReceivedBytes.ReadOne($"{name}\n\nx\0").Body);
                continue;
            }

            Assert.Contains($"The {name} frame has a body", ReceivedBytes.Refused($"{name}\n\nx").Message);
            Assert.Contains($"The {name} frame has a body", ReceivedBytes.Refused($"{name}\ncontent-length:1\n\n").Message);
            Assert.Equal("", ReceivedBytes.ReadOne($"{name}\ncontent-length:0\n\n\0").Body);
        }
    }

    [Fact]
    public void A_MESSAGE_is_read_and_written_as_it_is_printed()
    {
        const string Text = "MESSAGE\nsubscription:0\nmessage-id:007\ndestination:/queue/a\ncontent-type:text/plain\n\nhello queue a\0";

        var frame = ReceivedBytes.ReadOne(Text);

        Assert.Equal(
            [("subscription", "0"), ("message-id", "007"), ("destination", "/queue/a"), ("content-type", "text/plain")], frame.Headers);
        Assert.Equal(Text, Encoding.UTF8.GetString(frame.Write(StompVersion.V12)));
    }

    [Fact]
    public void Of_repeated_headers_the_first_counts_and_all_are_listed()
    {
        var reader = new StompReader(new StompLimits());

        Assert.True(reader.TryRead("MESSAGE\nfoo:World\nfoo:Hello\n\n\0"u8, out var frame, out _));

        Assert.Equal("World", frame.GetString("foo"u8));
        Assert.Equal(2, frame.HeaderCount);
    }

    [Fact]
    public void In_1_2_names_and_values_have_four_escapes()
    {
        var frame = ReceivedBytes.ReadOne("SEND\n\\c\\n\\r\\\\:x\\\\n\\cy\\n\\r\n\n\0");

        Assert.Equal((":\n\r\\", "x\\n:y\n\r"), Assert.Single(frame.Headers));
    }

    [Fact]
    public void In_1_1_there_is_no_escape_for_a_carriage_return()
    {
        Assert.Equal(("a", ":\n\\"), Assert.Single(ReceivedBytes.ReadOne("SEND\na:\\c\\n\\\\\n\n\0", StompVersion.V11).Headers));
        Assert.Contains("STOMP 1.1 defines", ReceivedBytes.Refused("SEND\na:\\r\n\n\0", StompVersion.V11).Message);
    }

    [Fact]
    public void In_1_0_a_backslash_is_a_backslash()
    {
        Assert.Equal(("a\\c", "\\n\\t"), Assert.Single(ReceivedBytes.ReadOne("SEND\na\\c:\\n\\t\n\n\0", StompVersion.V10).Headers));
    }

    [Theory]
    [InlineData("CONNECT")]
    [InlineData("STOMP")]
    [InlineData("CONNECTED")]
    public void The_frames_that_open_a_session_have_no_escapes(string command)
    {
        Assert.Equal(("passcode", "a\\tb\\c:"), Assert.Single(ReceivedBytes.ReadOne(command + "\npasscode:a\\tb\\c:\n\n\0").Headers));
    }

    [Theory]
    [InlineData("a:\\t")]
    [InlineData("a:\\")]
    [InlineData("a:\\\\\\")]
    [InlineData("a\\x:b")]
    [InlineData("a\\:b")]
    [InlineData("a:\\C")]
    public void An_undefined_escape_is_refused(string line) =>
        Assert.Contains("undefined escape", ReceivedBytes.Refused($"SEND\nreceipt:7\n{line}\n\n\0").Message);

    [Fact]
    public void A_header_line_without_a_colon_or_without_a_name_is_refused()
    {
        Assert.Contains("'destination' of the SEND frame has no colon", ReceivedBytes.Refused("SEND\ndestination\n\n\0").Message);
        Assert.Contains("':value' of the SEND frame has no name", ReceivedBytes.Refused("SEND\n:value\n\n\0").Message);
    }

    [Theory]
    [InlineData("CONNECT")]
    [InlineData("STOMP")]
    public void Of_the_frame_that_has_a_passcode_no_line_is_repeated(string command)
    {
        Assert.StartsWith($"A header line of the {command} frame has no colon", ReceivedBytes.Refused($"{command}\nsecret\n\n\0").Message);
        Assert.StartsWith($"A header line of the {command} frame has no name", ReceivedBytes.Refused($"{command}\n:secret\n\n\0").Message);
    }

    [Fact]
    public void A_value_may_be_empty_hold_colons_and_begin_with_a_space()
    {
        var frame = ReceivedBytes.ReadOne("SEND\nempty:\nuri:http://a:1/\nspace: x \n\n\0");

        Assert.Equal([("empty", ""), ("uri", "http://a:1/"), ("space", " x ")], frame.Headers);
    }

    [Fact]
    public void Headers_are_UTF_8() =>
        Assert.Equal(
            ("schlüssel", "日本\U0001F600"), Assert.Single(ReceivedBytes.ReadOne("SEND\nschlüssel:日本\U0001F600\n\n\0").Headers));

    [Theory]
    [InlineData("SEND\na:\xFF\n\n\0")]
    [InlineData("SEND\n\xC3:b\n\n\0")]
    [InlineData("SEND\na:\xC0\x80\n\n\0")]
    [InlineData("SEND\na:\xED\xA0\x80\n\n\0")]
    public void Headers_that_are_not_UTF_8_are_refused(string latin1)
    {
        var refused = Assert.Throws<StompException>(() => new ReceivedBytes().Append(Encoding.Latin1.GetBytes(latin1)));

        Assert.Contains("not UTF-8", refused.Message);
    }

    [Fact]
    public void A_refusal_carries_the_receipt_that_stood_before_the_fault()
    {
        Assert.Equal("r:1", ReceivedBytes.Refused("SEND\nreceipt:r\\c1\nno colon\n\n\0").ReceiptId);
        Assert.Equal("r:1", ReceivedBytes.Refused("SEND\nreceipt:r\\c1\na:\\t\n\n\0").ReceiptId);
        Assert.Equal("r1", ReceivedBytes.Refused("ACK\na:\\c\nreceipt:r1\nreceipt:r2\n\nbody\0").ReceiptId);
        Assert.Equal("r\\t", ReceivedBytes.Refused("SEND\nreceipt:r\\t\nno colon\n\n\0", StompVersion.V10).ReceiptId);
        Assert.Null(ReceivedBytes.Refused("SEND\nreceipt:r\\t\n\n\0").ReceiptId);
        Assert.Null(ReceivedBytes.Refused("SEND\nno colon\nreceipt:r1\n\n\0").ReceiptId);
        Assert.Null(ReceivedBytes.Refused("SENT\nreceipt:r1\n\n\0").ReceiptId);
    }

    /// <summary>Found by fuzzing: in one piece it waited for the rest, in two it was refused.</summary>
    [Theory]
    [InlineData("SEND\na:b\0")]
    [InlineData("SEND\na:b\0c\n\n\0")]
    [InlineData("SEND\n\0")]
    [InlineData("SEND\nname:va\0lue\nother:")]
    public void A_NUL_in_a_header_is_refused_before_the_headers_end_however_they_come(string text)
    {
        var pieces = new ReceivedBytes();
        var nul = text.IndexOf('\0', StringComparison.Ordinal);
        pieces.Append(Encoding.UTF8.GetBytes(text[..nul]));

        Assert.Contains("has a NUL before the blank line", ReceivedBytes.Refused(text).Message);
        Assert.Contains(
            "has a NUL before the blank line",
            Assert.Throws<StompException>(() => pieces.Append(Encoding.UTF8.GetBytes(text[nul..]))).Message);
    }

    [Fact]
    public void More_headers_than_the_limit_are_refused_when_the_first_too_many_comes()
    {
        var limits = new StompLimits { MaxHeaders = 20 };
        var lines = string.Concat(Enumerable.Range(0, 20).Select(i => $"h{i}:{i}\n"));

        Assert.Equal(20, ReceivedBytes.ReadOne($"SEND\n{lines}\n\0", limits: limits).Headers.Count);
        Assert.Contains("more than 20 headers", ReceivedBytes.Refused($"SEND\n{lines}one:more\n", limits: limits).Message);
    }

    [Theory]
    [InlineData("\n")]
    [InlineData("\r\n")]
    public void Longer_headers_than_the_limit_are_refused_before_they_end(string lineEnd)
    {
        var limits = new StompLimits { MaxHeaderBytes = 100 };
        var line = "a:" + new string('x', 98 - lineEnd.Length) + lineEnd;

        Assert.Single(ReceivedBytes.ReadOne($"SEND{lineEnd}{line}{lineEnd}\0", limits: limits).Headers);
        string[] tooLong =
        [
            $"SEND\nb{line}\n\0",
            "SEND\na:" + new string('x', 100),
            "SEND\n" + string.Concat(Enumerable.Repeat("a:b\n", 26)),
        ];
        Assert.All(tooLong, text => Assert.Contains("longer than 100 bytes", ReceivedBytes.Refused(text, limits: limits).Message));
    }
}
