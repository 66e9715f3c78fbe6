using System.IO.Pipelines;
using System.Net.WebSockets;
using System.Text.Unicode;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Fuzz.Framing;

namespace PubSubOverWs.Tests.Relay.Sockets;

/// <summary>The framing of the lean front end, without a session above it.</summary>
public sealed class LeanSocketTests : IAsyncLifetime
{
    private readonly MemoryConnection _connection = MemoryConnection.Create();
    private readonly LeanSocket _socket;

    public static TheoryData<string> Texts =>
    [
        "", "61", "c3a9", "e282ac", "f0a4ada2", "61c3a962e282ac63f0a4ada264", "ceba", "80", "c3", "c0af", "eda080", "f4908080", "f4",
        "e282", "f0a4ad", "61ff", "c328", "e2c3a9", "f0a4c3a9", "e28261", "fe", "c3c3a9",
    ];

    public LeanSocketTests() => _socket = new LeanSocket(_connection, "v12.stomp");

    public Task InitializeAsync() => _socket.OpenAsync(default);

    public async Task DisposeAsync()
    {
        _socket.Dispose();
        await _connection.DisposeAsync();
    }

    [Fact]
    public async Task A_receive_without_a_buffer_waits_for_something_to_receive_and_takes_nothing()
    {
        var waiting = _socket.ReceiveAsync(Memory<byte>.Empty, CancellationToken.None).AsTask();
        await _connection.SendAsync(ConformanceCase.Frame(0x82, []).AsMemory(0, 2));
        await Waiting.GiveWayAsync(20);
        Assert.False(waiting.IsCompleted);

        await _connection.SendAsync(ConformanceCase.Frame(0x82, []).AsMemory(2));
        Assert.Equal((0, true), Of(await waiting.Patiently()));
        await _connection.SendAsync(ConformanceCase.Frame(0x82, "abc"u8));
        Assert.Equal((0, false), Of(await _socket.ReceiveAsync(Memory<byte>.Empty, CancellationToken.None)));

        Assert.True(_socket.HasBuffered);
        var buffer = new byte[2];
        Assert.Equal((2, false), Of(await _socket.ReceiveAsync(buffer.AsMemory(), CancellationToken.None)));
        Assert.Equal((1, true), Of(await _socket.ReceiveAsync(buffer.AsMemory(), CancellationToken.None)));
        Assert.Equal((byte)'c', buffer[0]);
        Assert.False(_socket.HasBuffered);
    }

    [Fact]
    public async Task Bytes_that_came_are_counted_when_they_are_consumed_with_their_framing()
    {
        var (frame, ping) = (ConformanceCase.Frame(0x82, "abc"u8), ConformanceCase.Frame(0x89, "?"u8));
        await _connection.SendAsync((byte[])[.. ping, .. frame, .. frame]);

        await _socket.ReceiveAsync(new byte[10].AsMemory(), CancellationToken.None);

        Assert.Equal(ping.Length + frame.Length, _socket.TakeRead());
        Assert.Equal(0, _socket.TakeRead());
    }

    [Fact]
    public async Task Control_frames_without_data_are_told_of_once_they_are_many()
    {
        var owner = new Owner();
        _socket.Owner = owner;
        var pong = ConformanceCase.Frame(0x8A, new byte[100]);
        await _connection.SendAsync(Enumerable.Repeat(pong, 100).SelectMany(bytes => bytes).ToArray());
        await _connection.SendAsync(ConformanceCase.Frame(0x82, "abc"u8));

        await _socket.ReceiveAsync(new byte[10].AsMemory(), CancellationToken.None);

        Assert.Equal(2, owner.Told.Count);
        Assert.All(owner.Told, bytes => Assert.InRange(bytes, 4097, 4096 + pong.Length));
    }

    [Fact]
    public async Task A_batch_that_comes_after_the_close_frame_fails_as_a_whole_and_a_pong_after_it_takes_none_of_it_along()
    {
        await _socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, "", CancellationToken.None);

        await Assert.ThrowsAsync<IOException>(() => Outbox.WriteAsync(BatchOf("a", "b"), _socket, _socket).AsTask());
        await Assert.ThrowsAsync<IOException>(
            () => _socket.SendAsync("late"u8.ToArray(), WebSocketMessageType.Binary, true, CancellationToken.None));
        await _connection.SendAsync((byte[])[.. ConformanceCase.Frame(0x89, []), .. ConformanceCase.Frame(0x88, [])]);
        await _socket.ReceiveAsync(new byte[10].AsMemory(), CancellationToken.None);

        Assert.Equal([0x88, 2, 3, 0xE8, 0x8A, 0], await ReceiveAsync(6));
        Assert.Equal((6, WebSocketState.Closed), (_socket.BytesOut, _socket.State));
    }

    [Fact]
    public async Task An_answer_to_a_PING_counts_as_something_read_though_no_receive_returns_it()
    {
        var receiving = _socket.ReceiveAsync(new byte[10].AsMemory(), CancellationToken.None).AsTask();
        var before = _socket.Reads;

        await _connection.SendAsync(ConformanceCase.Frame(0x8A, []));
        await Waiting.UntilAsync(() => _socket.Reads > before);

        Assert.False(receiving.IsCompleted);
        await _connection.SendAsync(ConformanceCase.Frame(0x82, "abc"u8));
        await receiving.Patiently();
    }

    [Fact]
    public async Task A_text_is_refused_at_the_first_byte_that_makes_it_wrong_though_its_frame_has_not_come()
    {
        var frame = ConformanceCase.Frame(0x81, [(byte)'a', 0xF4, 0x90, 0x80, 0x80, (byte)'b']);
        var buffer = new byte[10].AsMemory();
        await _connection.SendAsync(frame.AsMemory(0, 8));
        Assert.Equal((2, false), Of(await _socket.ReceiveAsync(buffer, CancellationToken.None)));
        await _connection.SendAsync(frame.AsMemory(8, 1));

        var broken = await Assert.ThrowsAsync<WebSocketException>(() => _socket.ReceiveAsync(buffer, CancellationToken.None).AsTask());

        Assert.Equal(WebSocketError.Faulted, broken.WebSocketErrorCode);
        Assert.Equal([0x88, 2, 0x03, 0xEF], await ReceiveAsync(4));
    }

    [Fact]
    public async Task A_client_that_goes_without_a_close_frame_ends_the_receive()
    {
        var receiving = _socket.ReceiveAsync(new byte[10].AsMemory(), CancellationToken.None).AsTask();
        _connection.Complete();

        var gone = await Assert.ThrowsAsync<WebSocketException>(() => receiving.Patiently());

        Assert.Equal(WebSocketError.ConnectionClosedPrematurely, gone.WebSocketErrorCode);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(4_000)]
    public async Task A_client_that_sends_without_a_pause_does_not_keep_the_thread_of_its_socket(int payload)
    {
        // As inline completions have it: what reads a socket runs the session, and reads on when that returns.
        const int messages = 1_000, most = 64;
        await using var connection = MemoryConnection.Create(PipeScheduler.Inline);
        using var socket = new LeanSocket(connection, null);
        var (longest, received) = (0, Task.CompletedTask);

        // A thread of its own: one of the pool would go on with what was handed to the pool, once it has sent all.
        await Task.Factory.StartNew(
            () =>
            {
                received = ReceiveAllAsync(Thread.CurrentThread);
                for (var i = 0; i < messages; i++)
                    Assert.True(connection.SendAsync(ConformanceCase.Frame(0x82, new byte[payload])).IsCompletedSuccessfully);
            },
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        await received.Patiently();

        Assert.InRange(longest, 1, most);

        async Task ReceiveAllAsync(Thread thread)
        {
            var buffer = new byte[8_000].AsMemory();
            for (var (run, left) = (0, messages); left > 0; left--)
            {
                await socket.ReceiveAsync(buffer, CancellationToken.None);
                run = Thread.CurrentThread == thread ? run + 1 : 0;
                longest = Math.Max(longest, run);
            }
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(15)]
    [InlineData(16)]
    [InlineData(100)]
    public void A_payload_is_unmasked_wherever_it_is_cut(int at)
    {
        var payload = Enumerable.Range(0, 100).Select(i => (byte)(i * 7)).ToArray();
        var masked = ConformanceCase.Frame(0x82, payload);
        FrameHead.Read(masked, out var head);
        var back = new byte[100];

        Masking.Copy(masked.AsSpan(6, at), back, head.Mask);
        Masking.Copy(masked.AsSpan(6 + at), back.AsSpan(at), Masking.After(head.Mask, at));

        Assert.Equal(payload, back);
    }

    /// <summary>The framework says of the whole what is true of it; the pieces must come to the same, at each cut.</summary>
    [Theory]
    [MemberData(nameof(Texts))]
    public void A_text_in_pieces_is_what_it_is_as_a_whole(string hex)
    {
        var text = Convert.FromHexString(hex);
        for (var first = 0; first <= text.Length; first++)
        {
            for (var second = first; second <= text.Length; second++)
            {
                var check = new TextCheck();
                var isText = check.Take(text.AsSpan(0, first)) && check.Take(text.AsSpan(first, second - first))
                    && check.Take(text.AsSpan(second)) && check.IsWhole;
                Assert.Equal(Utf8.IsValid(text), isText);
            }
        }
    }

    [Theory]
    [InlineData("f490")]
    [InlineData("eda0")]
    [InlineData("c0")]
    [InlineData("e080")]
    [InlineData("f5")]
    public void A_text_is_refused_at_the_first_byte_that_makes_it_wrong(string hex) =>
        Assert.False(new TextCheck().Take(Convert.FromHexString(hex)));

    // Null: a PING.
    private static FrameBatch BatchOf(params string?[] messages)
    {
        var batch = new FrameBatch();
        foreach (var message in messages)
        {
            batch.Payloads.Append(System.Text.Encoding.UTF8.GetBytes(message ?? ""));
            batch.Close(message is null ? null : WebSocketMessageType.Binary);
        }
        return batch;
    }

    private static (int, bool) Of(ValueWebSocketReceiveResult received) => (received.Count, received.EndOfMessage);

    private async Task<byte[]> ReceiveAsync(int count)
    {
        List<byte> received = [];
        while (received.Count < count)
            Assert.True(await _connection.ReceiveAsync(received).Patiently());
        return [.. received];
    }

    private sealed class Owner : IWireOwner
    {
        public List<int> Told { get; } = [];

        public void OnLeaving()
        {
        }

        public ValueTask OnControlTrafficAsync(int bytes)
        {
            Told.Add(bytes);
            return ValueTask.CompletedTask;
        }
    }
}
