using System.IO.Pipelines;
using System.Net.WebSockets;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Fuzz.Framing;

namespace PubSubOverWs.Tests.Relay.Sockets;

/// <summary>The frames of a batch of either front end, as the framework's WebSocket reads them.</summary>
public sealed class FrameBatchTests
{
    // Both sides of the lengths at which the head of a frame becomes longer (RFC 6455, 5.2).
    private static readonly int[] Lengths = [0, 1, 125, 126, 65_535, 65_536, 2];

    private static readonly byte[] Data = [0x82, 1, 7];
    private static readonly byte[] Empty = [0x82, 0];
    private static readonly byte[] Pong = [0x8A, 0];
    private static readonly byte[] Close = [0x88, 2, 0x03, 0xEA];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Frames_of_every_length_and_kind_leave_in_one_write_and_are_read_as_they_were_written(bool isLean)
    {
        await using var ends = new Ends(isLean);
        var batch = new FrameBatch();
        foreach (var length in Lengths)
        {
            batch.Payloads.Append(Payload(length));
            batch.Close(KindOf(length));
        }

        await ends.WriteAsync(batch);

        Assert.Equal([(int)ends.Wire.BytesOut], ends.Writes);
        foreach (var length in Lengths)
        {
            var (bytes, kind) = await ReadAsync(ends.Reader);
            Assert.Equal(Payload(length), bytes);
            Assert.Equal(KindOf(length), kind);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_batch_can_be_used_again_and_nothing_of_its_last_use_is_left(bool isLean)
    {
        await using var ends = new Ends(isLean);
        var batch = new FrameBatch();

        for (var use = 1; use <= 3; use++)
        {
            for (var i = 0; i < use; i++)
            {
                batch.Payloads.Append(Payload(use));
                batch.Close(WebSocketMessageType.Binary);
            }
            await ends.WriteAsync(batch);
            batch.Clear();
        }

        for (var use = 1; use <= 3; use++)
        {
            for (var i = 0; i < use; i++)
                Assert.Equal(Payload(use), (await ReadAsync(ends.Reader)).Bytes);
        }
        Assert.Equal(3, ends.Writes.Length);
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task A_ping_leaves_alone_or_among_other_frames_and_is_answered(bool isLean, bool isLast)
    {
        await using var ends = new Ends(isLean);
        var batch = new FrameBatch();
        batch.Close(null);
        await ends.WriteAsync(batch);
        batch.Clear();
        batch.Payloads.Append(Payload(1));
        batch.Close(WebSocketMessageType.Text);
        batch.Close(null);
        if (!isLast)
        {
            batch.Payloads.Append(Payload(2));
            batch.Close(WebSocketMessageType.Text);
        }

        await ends.WriteAsync(batch);
        batch.Clear();
        batch.Payloads.Append(Payload(3));
        batch.Close(WebSocketMessageType.Text);
        await ends.WriteAsync(batch);

        foreach (var length in isLast ? [1, 3] : new[] { 1, 2, 3 })
            Assert.Equal(Payload(length), (await ReadAsync(ends.Reader)).Bytes);
        // PINGs have two bytes of their own, as the heads of the others do.
        Assert.Equal(isLast ? [2, 3 + 2, 5] : [2, 3 + 2 + 4, 5], ends.Writes);
        // A PONG of a client: head and mask, for each PING.
        await Waiting.UntilAsync(() => ends.Answered == 2 * 6);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_writer_is_told_when_its_bytes_are_counted_and_none_of_them_has_left(bool isLean)
    {
        await using var ends = new Ends(isLean);
        var writer = new Writer(ends);
        ends.Wire.Owner = writer;
        var batch = new FrameBatch();
        foreach (var length in new[] { 3, 5 })
        {
            batch.Payloads.Append(Payload(length));
            batch.Close(WebSocketMessageType.Binary);
            await ends.WriteAsync(batch);
        }

        Assert.Equal([(5, 0), (5 + 5 + 7, 5)], writer.Seen);
    }

    [Fact]
    public async Task A_close_frame_leaves_at_once_and_after_it_an_answer_to_a_ping_but_no_frame_of_a_batch()
    {
        var (transport, _) = MemoryTransport.CreatePair();
        await using var stream = new CorkedStream(transport) { Instead = TwoOfData() };

        await stream.WriteAsync(Close);
        await Assert.ThrowsAsync<IOException>(async () => await stream.WriteAsync(Data));

        await stream.WriteAsync(Pong);
        Assert.Equal([Close.Length, Pong.Length], transport.Writes);
        Assert.Equal(Close.Length + Pong.Length, stream.BytesOut);
    }

    [Fact]
    public async Task A_pong_leaves_before_the_frames_of_a_batch_and_these_leave_in_one_write()
    {
        var (transport, _) = MemoryTransport.CreatePair();
        await using var stream = new CorkedStream(transport) { Instead = TwoOfData() };

        await stream.WriteAsync(Pong);
        await stream.WriteAsync(Empty);
        await stream.WriteAsync(Data);

        Assert.Equal([Pong.Length, 2 * Data.Length, Data.Length], transport.Writes);
        Assert.Equal(Pong.Length + (3 * Data.Length), stream.BytesOut);
    }

    [Fact]
    public async Task A_message_that_waits_for_a_close_frame_to_leave_is_given_back()
    {
        await using var server = FakeBroker.Serve(out _);
        var client = await server.SubscriberAsync("/queue/a");
        var before = client.ServerTransport.Writes.Length;
        client.ServerTransport.Stall();
        await client.SendAsync([0xFF], WebSocketMessageType.Text);
        await client.ServerTransport.WriteWaits;

        var delivery = FakeDelivery.To("/queue/a", "late");
        var step = new OutboxBatch(server.Options);
        step.Enter();
        Assert.Equal(DeliverOutcome.Taken, server.Subscriptions.Deliver(delivery));
        OutboxBatch.Leave();
        step.Flush();
        client.ServerTransport.Resume();

        Assert.Equal(WebSocketCloseStatus.InvalidPayloadData, (await client.ReceiveCloseAsync()).Status);
        await client.SessionEnded;
        Assert.Equal(["Closed"], delivery.Ends);
        Assert.Equal(before + 1, client.ServerTransport.Writes.Length);
    }

    private static WebSocketMessageType KindOf(int length) =>
        length % 2 == 0 ? WebSocketMessageType.Text : WebSocketMessageType.Binary;

    private static byte[] Payload(int length) => [.. Enumerable.Range(0, length).Select(i => (byte)('a' + (i % 26)))];

    private static async Task<(byte[] Bytes, WebSocketMessageType Kind)> ReadAsync(WebSocket socket)
    {
        var (buffer, count) = (new byte[70_000], 0);
        while (true)
        {
            var received = await socket.ReceiveAsync(buffer.AsMemory(count), CancellationToken.None);
            count += received.Count;
            if (received.EndOfMessage)
                return (buffer[..count], received.MessageType);
        }
    }

    /// <summary>Notes what was counted and what had left, each time.</summary>
    private sealed class Writer(Ends ends) : IWireOwner
    {
        public List<(long Counted, long Left)> Seen { get; } = [];

        public void OnLeaving() => Seen.Add((ends.Wire.BytesOut, ends.Left));

        public ValueTask OnControlTrafficAsync(int bytes) => ValueTask.CompletedTask;
    }

    private static FrameBatch TwoOfData()
    {
        var frames = new FrameBatch();
        for (var i = 0; i < 2; i++)
        {
            frames.Payloads.Append(Data.AsSpan(2));
            frames.Close(WebSocketMessageType.Binary);
        }
        return frames;
    }

    /// <summary>A server's WebSocket of either front end, and a client that reads what it sends.</summary>
    private sealed class Ends : IAsyncDisposable
    {
        private readonly MemoryTransport _server;
        private readonly MemoryTransport _client;
        private readonly MemoryConnection _connection = MemoryConnection.Create(PipeScheduler.Inline);
        private readonly WebSocket _socket;
        private readonly List<byte> _passed = [];

        public Ends(bool isLean)
        {
            (_server, _client) = MemoryTransport.CreatePair();
            Reader = WebSocket.CreateFromStream(_client, new WebSocketCreationOptions { IsServer = false });
            if (isLean)
            {
                var socket = new LeanSocket(_connection, null);
                (_socket, Wire) = (socket, socket);
                return;
            }
            var stream = new CorkedStream(_server);
            (_socket, Wire) = (WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true }), stream);
        }

        public IWire Wire { get; }

        public WebSocket Reader { get; }

        /// <summary>Bytes of each write.</summary>
        public int[] Writes => _server.Writes;

        /// <summary>Bytes that are no longer the server's.</summary>
        public long Left => _server.BytesWritten + _passed.Count;

        /// <summary>Bytes that the client sent.</summary>
        public long Answered => _client.BytesWritten;

        public async Task WriteAsync(FrameBatch batch)
        {
            if (Wire is not LeanSocket)
            {
                await Outbox.WriteAsync(batch, _socket, Wire);
                return;
            }
            // It waits, and goes on at once with what the first flush gave it.
            var passing = _connection.ReceiveAsync(_passed);
            await Outbox.WriteAsync(batch, _socket, Wire);
            Assert.True(await passing.Patiently());
            await _server.WriteAsync(_passed.ToArray());
            _passed.Clear();
        }

        public async ValueTask DisposeAsync()
        {
            Reader.Dispose();
            _socket.Dispose();
            await _connection.DisposeAsync();
            await _server.DisposeAsync();
            await _client.DisposeAsync();
        }
    }
}
