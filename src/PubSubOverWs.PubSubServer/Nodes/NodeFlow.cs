using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// One server of several: it reads a queue of its own, which others send to and the topic feeds, the queue that all share, and those that dead nodes left
/// behind (<see cref="Adoption"/>); it tells the others which destinations have a subscriber here (<see cref="Announcer"/>).
/// </summary>
internal sealed class NodeFlow : IFlow
{
    private readonly ISqs _sqs;
    private readonly ISns _sns;
    private readonly NodePeers _peers;
    private readonly Announcer _announcer;
    private readonly Adoption _adoption;
    private readonly QueueFlow _own;
    private readonly QueueFlow _shared;
    private readonly QueueMeter _meter = new();
    private readonly Quiet _quiet;

    public NodeFlow(
        ISqs sqs, ISns sns, NodeQueues queues, SqsBrokerOptions options, Subscriptions subscriptions, RelayMeter relayMeter, TimeProvider time, ILogger log)
    {
        _sqs = sqs;
        _sns = sns;
        Urls = queues.Own;
        var table = new PeerTable(time, options.Nodes.DeadAfter);
        _announcer = new Announcer(
            queues, subscriptions, announcement => TryAsync(async () => await sns.PublishBatchAsync(queues.TopicArn, [announcement], CancellationToken.None)),
            () => TryAsync(async () => await sns.SubscribeQueueAsync(queues.TopicArn, queues.OwnArn, CancellationToken.None)), options.Nodes, time);
        _peers = new NodePeers(sqs, sns, queues, options.Sending, subscriptions, table, _announcer, RoomElsewhere, log);
        _quiet = new Quiet(_peers);
        _own = Read(queues.Own, subscriptions.Deliver);
        _shared = Read(queues.Shared, subscriptions.Deliver);
        _adoption = new Adoption(sqs, sns, queues, table, options.Nodes, urls => Read(urls, DeliverAdopted), time, log);
        Publisher = new Publisher(_peers, options.PublishTimeout, _meter, new PatientCalls(time, log, _quiet.Token), time);

        QueueFlow Read(QueueUrls urls, Func<Delivery, DeliverOutcome> deliver) => new(sqs, urls, options, deliver, _peers, _meter, relayMeter, time, log);

        // The topic gave this node a copy of its own; that one was for the dead node's subscribers.
        DeliverOutcome DeliverAdopted(Delivery delivery) =>
            DestinationName.IsTopic(delivery.Message.Destination) ? DeliverOutcome.NoSubscriber : subscriptions.Deliver(delivery);

        // Made again with the next announcement.
        async Task TryAsync(Func<Task> call)
        {
            try
            {
                await call();
            }
            catch (SqsException failure)
            {
                log.CallFailed(failure.Message);
            }
        }
    }

    public QueueUrls Urls { get; }

    public Publisher Publisher { get; }

    public QueueStats Stats =>
        _meter.Read(Urls, [_sqs.Traffic, _sns.Traffic], [_own.Leases, _shared.Leases, .. _adoption.Flows.Select(flow => flow.Leases)], _peers.Nodes);

    public void RoomAt(string destination)
    {
        _announcer.Gained(destination);
        OfferAgain(destination);
    }

    public async Task RunAsync(CancellationToken stopping, CancellationToken connectionsClosed)
    {
        using var failed = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        var quiet = _quiet.AfterAsync(connectionsClosed);
        Task[] parts = [_own.RunAsync(quiet, failed.Token), _shared.RunAsync(quiet, failed.Token), _adoption.RunAsync(quiet, failed.Token), _announcer.RunAsync(failed.Token)];
        try
        {
            // The first to end has failed, or all are to end.
            await await Task.WhenAny(parts);
        }
        finally
        {
            await failed.CancelAsync();
        }
        await Task.WhenAll(parts);
    }

    public void Dispose()
    {
        _own.Dispose();
        _shared.Dispose();
        _quiet.Dispose();
    }

    // What is held here for want of a subscriber can go where one is.
    private void RoomElsewhere(IReadOnlyList<string> destinations)
    {
        foreach (var destination in destinations)
            OfferAgain(destination);
    }

    private void OfferAgain(string destination)
    {
        _own.RoomAt(destination);
        _shared.RoomAt(destination);
        foreach (var flow in _adoption.Flows)
            flow.RoomAt(destination);
    }
}
