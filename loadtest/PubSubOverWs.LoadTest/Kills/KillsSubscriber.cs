using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.LoadTest.Nodes;

namespace PubSubOverWs.LoadTest.Kills;

/// <summary>Subscribes, acknowledges what comes, and comes back and subscribes again when its connection ends.</summary>
internal sealed class KillsSubscriber(ClientTarget target, string destination, Tally tally, Comeback comeback)
{
    public async Task RunAsync(CancellationToken stopping)
    {
        while (true)
        {
            using var client = await comeback.ConnectAsync(() => NodeClient.SubscribeAsync(target, destination, acknowledges: true, tally), stopping);
            await using (stopping.Register(client.Abort))
                await client.Ended;
        }
    }
}
