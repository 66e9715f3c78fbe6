using System.Net.WebSockets;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Tests.LocalSqs;
using PubSubOverWs.Tests.PubSubServer;
using PubSubOverWs.Tests.Relay;

namespace PubSubOverWs.Tests.Fuzz.Model;

/// <summary>A pubsub server from its start to its crash, with one client that subscribes.</summary>
internal sealed class BrokerLife(CrashingServer server, StompTestClient client)
{
    public StompTestClient Client { get; } = client;

    /// <summary>How often it has had the queue hide a message for longer.</summary>
    public int Renewed => server.Renewed;

    public bool IsRenewing => server.IsRenewing;

    public static async Task<BrokerLife> StartAsync(LocalSqsHost queues, string queue, string destination)
    {
        var server = await CrashingServer.StartAsync(queues, new SqsBrokerOptions
        {
            Queue = queue,
            PollLoops = 1,
            WaitTime = TimeSpan.FromSeconds(20),
            VisibilityTimeout = TimeSpan.FromSeconds(QueueModel.Visibility),
            MaxDeliveries = 1_000,
            Settle = { Linger = TimeSpan.Zero },
        });
        var client = await server.Relay.ConnectAsync(kind: WebSocketMessageType.Binary);
        await client.SubscribeAsync(destination, "1", "ack:client-individual", "prefetch-count:20");
        return new BrokerLife(server, client);
    }

    public Task CrashAsync() => server.CrashAsync();
}
