using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>Subscribers of the pubsub server that never acknowledge, beside others.</summary>
public sealed class SilentSubscriberTests
{
    [Fact]
    public async Task A_subscriber_of_a_topic_gets_all_of_it_beside_one_that_acknowledges_nothing()
    {
        await using var server = new DispatchingServer();
        var (silent, reader) = (await server.Relay.ConnectAsync(), await server.Relay.ConnectAsync());
        await silent.SubscribeAsync("/topic/t", "1", "ack:client");
        await reader.SubscribeAsync("/topic/t", "1");
        for (var i = 0; i < 1000; i++)
            server.Queue.Send(Sample.Message($"{i}", "/topic/t", $"{i}"));

        await server.PumpUntilAsync(ReadAsync(reader, 1000));
        Assert.Equal(0, server.Queue.Count);
    }

    [Fact]
    public async Task A_client_that_takes_fifty_thousand_messages_and_acknowledges_none_does_not_stop_another_queue()
    {
        await using var server = new DispatchingServer(options => options.MaxPrefetch = 100_000);
        var (silent, reader) = (await server.Relay.ConnectAsync(), await server.Relay.ConnectAsync());
        await silent.SubscribeAsync("/queue/a", "1", "ack:client", "prefetch-count:100000");
        await reader.SubscribeAsync("/queue/b", "1");
        for (var i = 0; i < 50_033; i++)
            server.Queue.Send(Sample.Message($"a{i}", "/queue/a", "x"));
        var swallowing = SwallowAsync(silent);
        // Until it has been given all that it may have: what found no room comes again within a minute each time.
        for (var second = 0; second < 300; second++)
        {
            server.Pump();
            await server.Relay.RestAsync();
            server.Relay.Advance(TimeSpan.FromSeconds(1));
        }
        for (var i = 0; i < 100; i++)
            server.Queue.Send(Sample.Message($"{i}", "/queue/b", $"{i}"));

        await server.PumpUntilAsync(ReadAsync(reader, 100));
        await server.Relay.DisposeAsync();
        await swallowing;
    }

    // In any order, as from SQS.
    private static async Task ReadAsync(StompTestClient client, int count)
    {
        var left = Enumerable.Range(0, count).Select(i => $"{i}").ToHashSet();
        while (left.Count > 0)
            left.Remove((await client.ReceiveAsync(StompCommand.Message)).Body);
    }

    private static async Task SwallowAsync(StompTestClient client)
    {
        try
        {
            while (true)
                await client.Socket.ReceiveAsync(new byte[64 * 1024], CancellationToken.None);
        }
        catch (System.Net.WebSockets.WebSocketException)
        {
        }
    }
}
