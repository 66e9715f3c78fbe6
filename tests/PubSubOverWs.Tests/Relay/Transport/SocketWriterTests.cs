using System.Buffers;
using System.IO.Pipelines;

namespace PubSubOverWs.Tests.Relay.Transport;

public sealed class SocketWriterTests : IAsyncLifetime
{
    // More than the system takes of one that is not read.
    private const int Much = 32 << 20;

    private SocketPair _pair = null!;

    private PipeWriter Writer => _pair.Server.Output;

    public async Task InitializeAsync() => _pair = await SocketPair.ConnectAsync();

    [Fact]
    public async Task Nothing_leaves_before_a_flush_and_then_all_at_once()
    {
        Writer.Write("abc"u8);
        Writer.Write("de"u8);
        Assert.Equal(5, Writer.UnflushedBytes);
        Assert.Equal(0, _pair.Client.Available);

        var flushed = await Writer.FlushAsync();

        Assert.False(flushed.IsCompleted);
        Assert.Equal(0, Writer.UnflushedBytes);
        Assert.Equal("abcde"u8.ToArray(), await ReceiveAsync(5));
    }

    [Fact]
    public async Task A_flush_waits_for_a_client_that_does_not_read_and_then_leaves_whole()
    {
        var sent = new byte[Much];
        new Random(1).NextBytes(sent);
        Writer.Write(sent);
        var flushing = Writer.FlushAsync().AsTask();
        Assert.False(flushing.IsCompleted);

        var received = await ReceiveAsync(Much);

        Assert.False((await flushing.Patiently()).IsCompleted);
        Assert.True(sent.AsSpan().SequenceEqual(received));
    }

    [Fact]
    public async Task A_flush_to_a_client_that_is_gone_says_that_nothing_can_be_written_any_more()
    {
        var flushing = FlushMuchAsync();
        _pair.Reset();
        Assert.True((await flushing.Patiently()).IsCompleted);

        Writer.Write("abc"u8);
        Assert.True((await Writer.FlushAsync()).IsCompleted);
        Assert.Equal(0, Writer.UnflushedBytes);
    }

    [Fact]
    public async Task A_connection_that_is_cut_here_ends_a_flush_that_waits()
    {
        var flushing = FlushMuchAsync();
        _pair.Server.Abort();
        Assert.True((await flushing.Patiently()).IsCompleted);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_flush_that_has_to_wait_and_is_cancelled_is_the_end_of_writing_for_a_part_of_it_may_have_left(bool isBefore)
    {
        if (isBefore)
            Writer.CancelPendingFlush();
        var flushing = FlushMuchAsync();
        if (!isBefore)
            Writer.CancelPendingFlush();

        var flushed = await flushing.Patiently();
        Assert.Equal((true, true), (flushed.IsCanceled, flushed.IsCompleted));
    }

    [Fact]
    public async Task A_token_ends_a_flush_that_waits_with_an_exception_and_nothing_leaves_behind_the_gap()
    {
        using var token = new CancellationTokenSource();
        var flushing = FlushMuchAsync(token.Token);
        await token.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => flushing.Patiently());

        Writer.Write("abc"u8);
        Assert.True((await Writer.FlushAsync()).IsCompleted);
    }

    [Fact]
    public async Task A_cancel_that_no_flush_waits_for_is_told_by_the_next_which_leaves_all_the_same()
    {
        Writer.CancelPendingFlush();
        Writer.Write("abc"u8);
        Assert.True((await Writer.FlushAsync()).IsCanceled);
        Assert.Equal("abc"u8.ToArray(), await ReceiveAsync(3));
        Assert.False((await Writer.FlushAsync()).IsCanceled);
    }

    public async Task DisposeAsync() => await _pair.DisposeAsync();

    private Task<FlushResult> FlushMuchAsync(CancellationToken cancellationToken = default)
    {
        Writer.Write(new byte[Much]);
        return Writer.FlushAsync(cancellationToken).AsTask();
    }

    private async Task<byte[]> ReceiveAsync(int count)
    {
        var received = new byte[count];
        for (var at = 0; at < count;)
        {
            var came = await _pair.Client.ReceiveAsync(received.AsMemory(at)).AsTask().Patiently();
            Assert.NotEqual(0, came);
            at += came;
        }
        return received;
    }
}
