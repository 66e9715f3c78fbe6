using System.Text;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Stomp;

public class StompReaderHeaderTests
{
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

    [Theory]
    [InlineData("SEND\na:b\0")]
    [InlineData("SEND\na:b\0c\n\n\0")]
    [InlineData("SEND\n\0")]
    public void A_NUL_among_the_headers_is_refused_at_once(string text) =>
        Assert.Contains("NUL before the blank line", ReceivedBytes.Refused(text).Message);

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
    [Fact]
    public void A_NUL_in_a_header_is_refused_before_the_headers_end_however_they_come()
    {
        var pieces = new ReceivedBytes();
        pieces.Append("SEND\nname:va"u8);

        Assert.Contains("has a NUL before the blank line", ReceivedBytes.Refused("SEND\nname:va\0lue\nother:").Message);
        Assert.Contains("has a NUL before the blank line", Assert.Throws<StompException>(() => pieces.Append("\0lue\nother:"u8)).Message);
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
