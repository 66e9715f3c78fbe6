using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Nodes;
using PubSubOverWs.LoadTest.Workloads.OneWay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Kills;

/// <summary>Subscribes, counts and acknowledges what comes, and comes back and subscribes again when its connection ends.</summary>
internal sealed class KillsSubscriber(ClientTarget target, Backoff backoff, KillsPlan plan, int index, Tally tally)
    : ReturningClient(target, backoff, plan.ConnectTimeout)
{
    private readonly byte[] _subscribe = StompMessages.Subscribe("s", plan.DestinationOf(index), "client-individual");

    protected override Task<ConnectFailure?> GreetAsync(StompConnection connection) =>
        connection.SubscribeAsync(_subscribe, (frame, stamp) => Take(connection, frame, stamp));

    protected override void Take(StompConnection connection, StompFrame frame, long stamp)
    {
        if (frame.Command != StompCommand.Message)
            return;
        tally.Count(frame);
        if (frame.TryGet(StompNames.Ack, out var id))
            connection.TrySend(StompMessages.Ack(id));
    }

    protected override void Arrived(StompConnection connection)
    {
        // What was kept for it comes by itself.
    }

    protected override void Lost(string? why)
    {
        // What was not acknowledged comes again.
    }
}
