using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>
/// The pubsub server without a network: real sessions, subscriptions and dispatcher, over a queue in memory that is read when the test says
/// so.
/// </summary>
internal sealed class DispatchingServer : IAsyncDisposable
{
    // What the queue hides comes again after seconds: steps that are much shorter would be pumped in vain, and take the clients' turns.
    private static readonly TimeSpan Step = TimeSpan.FromSeconds(1);

    public DispatchingServer(Action<RelayOptions>? configure = null, QueueBrokerOptions? options = null)
    {
        var settings = options ?? new QueueBrokerOptions();
        Relay = new RelayHarness(
            harness =>
            {
                Leases = new Leases(
                    harness.Time, TimeSpan.FromSeconds(30), settings.MaxInFlight, new InFlightBudget(settings.MaxInFlightBytes));
                Queue = new MemoryQueue(harness.Time).For(Leases);
                var server = Sample.Server(harness.Time, settings, harness.Meter);
                Meter = server.Meter;
                Dispatcher = new Dispatcher(Sample.Flow(server, Leases), Queue, harness.Subscriptions.Deliver);
                return new Broker(Dispatcher, Queue, new UnsettledBudget(settings.MaxUnsettled.Messages, settings.MaxUnsettled.Bytes));
            },
            // Time passes here whether clients come to read or not, so no client counts as slow.
            relay =>
            {
                relay.SlowConsumerTimeout = TimeSpan.Zero;
                configure?.Invoke(relay);
            });
    }

    public RelayHarness Relay { get; }
    public QueueMeter Meter { get; private set; } = null!;
    public Leases Leases { get; private set; } = null!;
    public MemoryQueue Queue { get; private set; } = null!;
    public Dispatcher Dispatcher { get; private set; } = null!;

    /// <summary>Offers what is to be offered again, and receives as the poller does: for as long as there is something, and room.</summary>
    public void Pump()
    {
        Renew();
        Dispatcher.OfferPending();
        while (Receive())
            Dispatcher.OfferPending();
    }

    /// <summary>Pumps, and lets time pass, until the clients have done what they do.</summary>
    public Task PumpUntilAsync(Task clients) => clients.WhileAsync(() =>
    {
        Pump();
        Relay.Advance(Step);
    });

    private void Renew()
    {
        var due = Leases.TakeDue();
        foreach (var lease in due)
            lease.ConfirmedAt = Relay.Time.GetTimestamp();
        Leases.Renewed(due);
    }

    // False: nothing is there, or there is no room for it.
    private bool Receive()
    {
        using var waiting = new CancellationTokenSource();
        var room = Leases.RoomAsync(waiting.Token);
        if (!room.IsCompletedSuccessfully)
        {
            waiting.Cancel();
            return false;
        }
        using var reserved = room.Result;
        var received = Queue.Receive();
        Dispatcher.Accept(received);
        return received.Count > 0;
    }

    public async ValueTask DisposeAsync()
    {
        await Relay.DisposeAsync();
        Dispatcher.Dispose();
    }

    private sealed class Broker(Dispatcher dispatcher, MemoryQueue queue, UnsettledBudget budget) : IBroker
    {
        public string Name => "pubsub";

        public QueueStats? Queue => null;

        public bool Keeps => true;

        public UnsettledBudget? UnsettledBudget => budget;

        public ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages)
        {
            queue.Send([.. messages]);
            return new(PublishOutcome.Taken);
        }

        public void RoomAt(string destination) => dispatcher.RoomAt(destination);
    }
}
