using System.Buffers;
using System.Text;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Stomp;

public class AllocationTests
{
    private const int Frames = 1_000;

    [Theory]
    [InlineData("SEND\ndestination:/queue/a\nid:17\nreceipt:r-1\ncontent-length:5\n\nhello\0")]
    [InlineData("SEND\ndestination:/queue/a\\cb\nx\\n:\\\\\n\nhello\0")]
    [InlineData("\r\n\nACK\r\nid:17\r\n\r\n\0")]
    public void Reading_allocates_nothing_per_frame_or_header(string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        var reader = new StompReader(new StompLimits());
        Assert.True(Read(reader, bytes));

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < Frames; i++)
        {
            Read(reader, bytes);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Writing_allocates_nothing_per_frame_or_header()
    {
        var output = new ArrayBufferWriter<byte>(4_096);
        Write(output);

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < Frames; i++)
        {
            Write(output);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void A_reader_that_read_a_CONNECT_stays_small()
    {
        var connect = "CONNECT\naccept-version:1.2\nhost:localhost\nheart-beat:0,0\n\n\0"u8;
        var limits = new StompLimits();
        new StompReader(limits).TryRead(connect, out _, out _);

        var before = GC.GetAllocatedBytesForCurrentThread();
        var reader = new StompReader(limits);
        reader.TryRead(connect, out _, out _);

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 1, 256);
    }

    private static bool Read(StompReader reader, byte[] bytes)
    {
        // Half first, so that the path of a frame in pieces counts too.
        reader.TryRead(bytes.AsSpan(0, bytes.Length / 2), out _, out var consumed);
        return reader.TryRead(bytes.AsSpan(consumed), out var frame, out _) && !frame.TryGet("no such header"u8, out _);
    }

    private static void Write(ArrayBufferWriter<byte> output)
    {
        output.ResetWrittenCount();
        var writer = new StompWriter(output, StompVersion.V12);
        writer.Begin(StompCommand.Message);
        writer.Header(StompNames.Destination, "/queue/a:b");
        writer.Header("x-custom", "some value");
        writer.Header(StompNames.Subscription, "0"u8);
        writer.Header(StompNames.ContentLength, 5);
        writer.End("hello"u8);
    }
}
