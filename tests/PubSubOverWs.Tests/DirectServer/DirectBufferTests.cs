using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Relay;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.DirectServer;

public sealed class DirectBufferTests
{
    [Fact]
    public async Task Messages_that_a_full_subscriber_cannot_take_wait_and_come_in_order()
    {
        await using var server = RelayHarness.Direct(buffer: 10);
        var client = await server.SubscriberAsync("/queue/a", "ack:client-individual", "prefetch-count:1");
        await PublishAsync(server, "/queue/a", "1", "2", "3");
        Assert.Equal(2, server.Broker.Buffered);

        foreach (var body in new[] { "1", "2", "3" })
            await AckAsync(client, await client.ReceiveMessageAsync(body));
        await client.ExpectNothingAsync();
        Assert.Equal(0, server.Broker.Buffered);
    }

    [Theory]
    [InlineData(3, "")]
    [InlineData(10, "a long body, of 400 octets")]
    public async Task A_full_buffer_sheds_by_number_and_by_bytes(int buffer, string body)
    {
        var size = Message("/queue/a", body.PadRight(400)).Size;
        await using var server = RelayHarness.Direct(buffer: buffer, bufferBytes: (2 * size) + 100);
        var client = await server.SubscriberAsync("/queue/a", "ack:client", "prefetch-count:1");
        var bodies = body.Length == 0 ? Enumerable.Repeat("", 4).ToArray() : [.. Enumerable.Repeat(body.PadRight(400), 3)];
        await PublishAsync(server, "/queue/a", bodies);

        Assert.Equal(PublishOutcome.Shed, await server.Broker.PublishAsync([Message("/queue/a", body.PadRight(400))]));
        Assert.Equal((bodies.Length - 1, 1), (server.Broker.Buffered, server.Meter.Drops["shed"]));
    }

    [Fact]
    public async Task Messages_of_a_queue_stay_buffered_until_a_subscriber_comes_back()
    {
        await using var server = RelayHarness.Direct(buffer: 10);
        var client = await server.SubscriberAsync("/queue/a", "ack:client", "prefetch-count:1");
        await PublishAsync(server, "/queue/a", "1", "2");
        await AckAsync(client, await client.ReceiveMessageAsync("1"));
        await client.ReceiveMessageAsync("2");
        await PublishAsync(server, "/queue/a", "3");
        await client.LeaveAsync();

        var next = await server.ConnectAsync();
        await next.SendAsync("SUBSCRIBE\ndestination:/queue/a\nid:1\n\n\0");

        await next.ReceiveMessageAsync("3");
        // What the first had and did not acknowledge went behind what waited.
        await next.ReceiveMessageAsync("2");
        Assert.Equal((0, 0), (server.Broker.Buffered, server.Meter.Drops["closed"]));
    }

    // Without a receipt, which may come before or after the message that it makes room for.
    private static Task AckAsync(StompTestClient client, PlainFrame message) => client.SendAsync($"ACK\nid:{message.Header("ack")}\n\n\0");

    private static Message Message(string destination, string body) => FakeDelivery.To(destination, body).Message;

    private static async Task PublishAsync(RelayHarness server, string destination, params string[] bodies)
    {
        foreach (var body in bodies)
            Assert.Equal(PublishOutcome.Taken, await server.Broker.PublishAsync([Message(destination, body)]));
    }
}
