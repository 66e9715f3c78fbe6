using System.Net.WebSockets;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Sockets;

/// <summary>
/// The close frame that the framework sends by itself, when a client breaks a rule of the framing, beside what is on its way to that
/// client.
/// </summary>
public sealed class CloseFrameTests
{
    private static readonly byte[] Data = [0x82, 1, 7];
    private static readonly byte[] Empty = [0x82, 0];
    private static readonly byte[] Pong = [0x8A, 0];
    private static readonly byte[] Close = [0x88, 2, 0x03, 0xEA];

    [Fact]
    public async Task A_close_frame_leaves_at_once_and_the_frames_of_a_batch_that_comes_late_do_not()
    {
        var (transport, _) = MemoryTransport.CreatePair();
        await using var stream = new CorkedStream(transport) { Instead = TwoOfData() };

        await stream.WriteAsync(Close);
        await Assert.ThrowsAsync<IOException>(async () => await stream.WriteAsync(Data));

        Assert.Equal([Close.Length], transport.Writes);
        Assert.Equal(Close.Length, stream.BytesOut);
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
    public async Task No_data_follows_a_close_frame_but_an_answer_to_a_ping_may()
    {
        var (transport, _) = MemoryTransport.CreatePair();
        await using var stream = new CorkedStream(transport);
        await stream.WriteAsync(Close);

        await Assert.ThrowsAsync<IOException>(async () => await stream.WriteAsync(Data));
        await stream.WriteAsync(Pong);

        Assert.Equal([Close.Length, Pong.Length], transport.Writes);
    }

    [Fact]
    public async Task A_message_that_waits_for_a_close_frame_to_leave_is_given_back()
    {
        await using var server = FakeBroker.Serve(out _);
        var client = await server.ConnectAsync();
        await client.SubscribeAsync("/queue/a", "1");
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
}
