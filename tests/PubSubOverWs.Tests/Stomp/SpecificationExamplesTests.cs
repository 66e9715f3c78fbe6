using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Stomp;

/// <summary>The frames printed in https://stomp.github.io/stomp-specification-1.2.html, with ^@ as NUL.</summary>
public class SpecificationExamplesTests
{
    [Theory]
    [InlineData("CONNECT\naccept-version:1.2\nhost:stomp.github.org\n\n^@", StompCommand.Connect, 2, "")]
    [InlineData("STOMP\naccept-version:1.0,1.1,2.0\nhost:stomp.github.org\n\n^@", StompCommand.Stomp, 2, "")]
    [InlineData("CONNECTED\nversion:1.1\n\n^@", StompCommand.Connected, 1, "")]
    [InlineData("SEND\ndestination:/queue/a\ncontent-type:text/plain\n\nhello queue a\n^@", StompCommand.Send, 2, "hello queue a\n")]
    [InlineData("SUBSCRIBE\nid:0\ndestination:/queue/foo\nack:client\n\n^@", StompCommand.Subscribe, 3, "")]
    [InlineData("UNSUBSCRIBE\nid:0\n\n^@", StompCommand.Unsubscribe, 1, "")]
    [InlineData("ACK\nid:12345\ntransaction:tx1\n\n^@", StompCommand.Ack, 2, "")]
    [InlineData("NACK\nid:12345\n\n^@", StompCommand.Nack, 1, "")]
    [InlineData("BEGIN\ntransaction:tx1\n\n^@", StompCommand.Begin, 1, "")]
    [InlineData("COMMIT\ntransaction:tx1\n\n^@", StompCommand.Commit, 1, "")]
    [InlineData("ABORT\ntransaction:tx1\n\n^@", StompCommand.Abort, 1, "")]
    [InlineData("DISCONNECT\nreceipt:77\n\n^@", StompCommand.Disconnect, 1, "")]
    [InlineData("RECEIPT\nreceipt-id:message-12345\n\n^@", StompCommand.Receipt, 1, "")]
    public void An_example_is_read(string text, StompCommand command, int headers, string body)
    {
        var frame = ReceivedBytes.ReadOne(text.Replace("^@", "\0", StringComparison.Ordinal));

        Assert.Equal((command, headers, body), (frame.Command, frame.Headers.Count, frame.Body));
    }

    [Fact]
    public void A_MESSAGE_is_read_and_written_as_it_is_printed()
    {
        const string Text = "MESSAGE\nsubscription:0\nmessage-id:007\ndestination:/queue/a\ncontent-type:text/plain\n\nhello queue a\0";

        var frame = ReceivedBytes.ReadOne(Text);

        Assert.Equal(
            [("subscription", "0"), ("message-id", "007"), ("destination", "/queue/a"), ("content-type", "text/plain")], frame.Headers);
        Assert.Equal(Text, System.Text.Encoding.UTF8.GetString(frame.Write(StompVersion.V12)));
    }

    [Fact]
    public void An_ERROR_with_a_content_length_holds_the_frame_at_fault_in_its_body()
    {
        const string Body = "The message:\n-----\nMESSAGE\ndestined:/queue/a\nreceipt:message-12345\n\nHello queue a!\n-----\n"
            + "Did not contain a destination header, which is REQUIRED\nfor message propagation.\n";

        var frame = ReceivedBytes.ReadOne(
            $"ERROR\nreceipt-id:message-12345\ncontent-type:text/plain\ncontent-length:{Body.Length}\n"
            + $"message:malformed frame received\n\n{Body}\0");

        Assert.Equal(Body, frame.Body);
        Assert.Contains(("message", "malformed frame received"), frame.Headers);
    }

    [Fact]
    public void Of_repeated_headers_the_first_counts_and_all_are_listed()
    {
        var reader = new StompReader(new StompLimits());

        Assert.True(reader.TryRead("MESSAGE\nfoo:World\nfoo:Hello\n\n\0"u8, out var frame, out _));

        Assert.Equal("World", frame.GetString("foo"u8));
        Assert.Equal(2, frame.HeaderCount);
    }
}
