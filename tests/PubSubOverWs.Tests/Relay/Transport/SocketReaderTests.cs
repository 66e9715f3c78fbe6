using System.Buffers;
using System.IO.Pipelines;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Connections;

namespace PubSubOverWs.Tests.Relay.Transport;

public sealed class SocketReaderTests : IAsyncLifetime
{
    private SocketPair _pair = null!;

    private PipeReader Reader => _pair.Server.Input;

    public async Task InitializeAsync() => _pair = await SocketPair.ConnectAsync();

    [Fact]
    public async Task What_was_not_consumed_comes_again_with_what_came_since()
    {
        await _pair.SendAsync("abc");
        var first = await Reader.ReadAsync().AsTask().Patiently();
        Reader.AdvanceTo(first.Buffer.GetPosition(1), first.Buffer.End);

        var reading = Reader.ReadAsync();
        Assert.False(reading.IsCompleted);
        await _pair.SendAsync("de");

        Assert.Equal("bcde", TextOf(await reading.AsTask().Patiently()));
    }

    [Fact]
    public async Task What_was_not_examined_comes_again_without_waiting()
    {
        await _pair.SendAsync("abc");
        var first = await Reader.ReadAsync().AsTask().Patiently();
        Reader.AdvanceTo(first.Buffer.GetPosition(1), first.Buffer.GetPosition(2));

        Assert.True(Reader.TryRead(out var again));

        Assert.Equal("bc", TextOf(again));
    }

    [Fact]
    public async Task Nothing_can_be_read_that_has_not_been_waited_for()
    {
        Assert.False(Reader.TryRead(out _));
        await _pair.SendAsync("abc");
        Reader.AdvanceTo((await Reader.ReadAsync().AsTask().Patiently()).Buffer.End);
        Assert.False(Reader.TryRead(out _));
    }

    [Fact]
    public async Task More_than_a_buffer_holds_is_kept_while_nothing_is_consumed()
    {
        var sent = string.Concat(Enumerable.Range(0, 20_000));
        var sending = _pair.SendAsync(sent);
        ReadResult read;
        while ((read = await Reader.ReadAsync().AsTask().Patiently()).Buffer.Length < sent.Length)
            Reader.AdvanceTo(read.Buffer.Start, read.Buffer.End);
        await sending;

        Assert.Equal(sent, TextOf(read));
    }

    [Fact]
    public async Task A_cancelled_read_takes_nothing_from_the_next()
    {
        var reading = Reader.ReadAsync();
        Reader.CancelPendingRead();
        Assert.True((await reading.AsTask().Patiently()).IsCanceled);

        var next = Reader.ReadAsync();
        Assert.False(next.IsCompleted);
        await _pair.SendAsync("abc");

        var read = await next.AsTask().Patiently();
        Assert.False(read.IsCanceled);
        Assert.Equal("abc", TextOf(read));
    }

    [Fact]
    public async Task What_comes_while_nobody_reads_after_a_cancelled_read_is_there_for_the_next()
    {
        var reading = Reader.ReadAsync();
        Reader.CancelPendingRead();
        await reading.AsTask().Patiently();
        await _pair.SendAsync("abc");

        Assert.Equal("abc", TextOf(await Reader.ReadAsync().AsTask().Patiently()));
    }

    [Fact]
    public async Task A_read_that_is_cancelled_before_it_begins_is_cancelled_and_only_that_one()
    {
        Reader.CancelPendingRead();
        Assert.True((await Reader.ReadAsync()).IsCanceled);

        var next = Reader.ReadAsync().AsTask();
        Assert.False(next.IsCompleted);
        await _pair.SendAsync("abc");
        Assert.Equal("abc", TextOf(await next.Patiently()));
    }

    [Fact]
    public async Task A_reader_that_is_done_completes_a_read_that_waits()
    {
        var reading = Reader.ReadAsync().AsTask();
        Reader.Complete();
        Assert.True((await reading.Patiently()).IsCompleted);
    }

    [Fact]
    public async Task A_token_that_is_cancelled_after_its_read_cancels_no_other()
    {
        using var token = new CancellationTokenSource();
        var reading = Reader.ReadAsync(token.Token).AsTask();
        await _pair.SendAsync("abc");
        Reader.AdvanceTo((await reading.Patiently()).Buffer.End);
        await token.CancelAsync();
        await _pair.SendAsync("de");

        var next = await Reader.ReadAsync().AsTask().Patiently();

        Assert.False(next.IsCanceled);
        Assert.Equal("de", TextOf(next));
    }

    [Fact]
    public async Task A_token_ends_a_read_with_an_exception_and_takes_nothing_from_the_next()
    {
        using var token = new CancellationTokenSource();
        var reading = Reader.ReadAsync(token.Token).AsTask();
        await token.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading.Patiently());

        await _pair.SendAsync("abc");
        Assert.Equal("abc", TextOf(await Reader.ReadAsync().AsTask().Patiently()));
    }

    [Fact]
    public async Task A_client_that_sends_no_more_completes_the_reads_after_all_it_sent()
    {
        await _pair.SendAsync("abc");
        _pair.Client.Shutdown(SocketShutdown.Send);
        var first = await Reader.ReadAsync().AsTask().Patiently();
        Assert.Equal("abc", TextOf(first));
        Reader.AdvanceTo(first.Buffer.Start, first.Buffer.End);

        var last = await Reader.ReadAsync().AsTask().Patiently();
        Assert.True(last.IsCompleted);
        Assert.Equal("abc", TextOf(last));
    }

    [Fact]
    public async Task A_client_that_is_cut_off_fails_a_read_that_waits()
    {
        var reading = Reader.ReadAsync().AsTask();
        _pair.Reset();
        await Assert.ThrowsAsync<ConnectionResetException>(() => reading.Patiently());
        await Assert.ThrowsAsync<ConnectionResetException>(() => Reader.ReadAsync().AsTask().Patiently());
    }

    [Fact]
    public async Task A_client_that_is_cut_off_after_a_cancelled_read_fails_the_next()
    {
        var reading = Reader.ReadAsync().AsTask();
        Reader.CancelPendingRead();
        await reading.Patiently();
        _pair.Reset();
        await Assert.ThrowsAsync<ConnectionResetException>(() => Reader.ReadAsync().AsTask().Patiently());
    }

    [Fact]
    public async Task A_connection_that_is_cut_here_fails_a_read_that_waits_and_those_after_it()
    {
        var reading = Reader.ReadAsync().AsTask();
        _pair.Server.Abort();
        await Assert.ThrowsAsync<ConnectionAbortedException>(() => reading.Patiently());
        await Assert.ThrowsAsync<ConnectionAbortedException>(() => Reader.ReadAsync().AsTask().Patiently());
    }

    [Fact]
    public async Task Reads_that_are_cancelled_while_bytes_come_lose_none_of_them()
    {
        const int bytes = 20_000;
        var sending = Task.Run(async () =>
        {
            for (var i = 0; i < bytes; i++)
                await _pair.Client.SendAsync(new[] { (byte)i });
        });
        var (received, cancelled) = (new List<byte>(), 0);
        using var over = new CancellationTokenSource();
        var cancelling = Task.Run(() =>
        {
            while (!over.IsCancellationRequested)
                Reader.CancelPendingRead();
        });
        while (received.Count < bytes)
        {
            var read = await Reader.ReadAsync().AsTask().Patiently();
            cancelled += read.IsCanceled ? 1 : 0;
            received.AddRange(read.Buffer.ToArray());
            Reader.AdvanceTo(read.Buffer.End);
        }
        await over.CancelAsync();
        await Task.WhenAll(sending, cancelling);

        Assert.Equal(Enumerable.Range(0, bytes).Select(i => (byte)i), received);
        Assert.NotEqual(0, cancelled);
    }

    public async Task DisposeAsync() => await _pair.DisposeAsync();

    private static string TextOf(ReadResult read) => Encoding.ASCII.GetString(read.Buffer);
}
