using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class ReceiptHandleTests
{
    [Theory]
    [InlineData(1, 1, 1)]
    [InlineData(uint.MaxValue, ulong.MaxValue, uint.MaxValue)]
    public void A_handle_reads_as_it_was_written(uint queue, ulong number, uint receipt)
    {
        var handle = new ReceiptHandle(queue, number, receipt);
        Span<byte> text = stackalloc byte[ReceiptHandle.MaxLength];
        var length = handle.WriteTo(text);

        Assert.True(ReceiptHandle.TryParse(text[..length], out var read));
        Assert.Equal(handle, read);
    }

    [Fact]
    public void A_receipt_of_an_earlier_process_names_nothing_of_this_one()
    {
        var (earlier, now) = (new TestQueue(), new TestQueue());
        earlier.Send("a");
        now.Send("b");

        Assert.NotEqual(earlier.Handle(Assert.Single(earlier.Receive())), now.Handle(Assert.Single(now.Receive())));
    }

    [Theory]
    [InlineData("")]
    [InlineData("1-2")]
    [InlineData("1-2-")]
    [InlineData("1-2-3-4")]
    [InlineData("g-2-3")]
    [InlineData("123456789-1-1")]
    [InlineData("AQEBzbVv5sQzGx3+/mj2IzzXQ==")]
    public void An_invalid_handle_is_refused(string text) =>
        Assert.False(ReceiptHandle.TryParse(System.Text.Encoding.UTF8.GetBytes(text), out _));
}
