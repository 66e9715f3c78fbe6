using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.WhichQueue.Load;

/// <summary>Subscribes to a queue destination, again after every reconnect, and acknowledges each message.</summary>
internal sealed class QueueSubscriber(
    ClientTarget target, Backoff backoff, string destination, string prefix, int messages, Countdown waiting)
    : ReturningClient([target], backoff, LoadBounds.DefaultConnectTimeout)
{
    private readonly byte[] _subscribe = StompMessages.Subscribe("s", destination, "client-individual");
    private readonly Lock _guard = new();
    private readonly FirstCopies _copies = new(prefix, messages);
    private int _arrived;
    private bool _isDone;

    public Anomalies Anomalies => _copies.Anomalies;

    /// <summary>Messages of which a copy came.</summary>
    public int Count => Volatile.Read(ref _arrived);

    /// <summary>The first thing that went wrong; null: nothing.</summary>
    public ConnectFailure? Failure { get; private set; }

    public long? ArrivedAt(int sequence) => _copies[sequence];

    /// <summary>There is nothing more to wait for.</summary>
    public void GiveUp()
    {
        lock (_guard)
        {
            if (_isDone)
                return;
            _isDone = true;
        }

        waiting.Signal();
    }

    protected override Task<ConnectFailure?> GreetAsync(StompConnection connection) =>
        connection.SubscribeAsync(_subscribe, (frame, stamp) => Take(connection, frame, stamp));

    protected override void Arrived(StompConnection connection)
    {
        // Nothing to do: the server sends kept messages by itself.
    }

    protected override void Lost(string? why) =>
        Failure ??= new ConnectFailure(Cause.ServerClosed, why ?? "a subscriber lost its connection");

    protected override void Take(StompConnection connection, StompFrame frame, long stamp)
    {
        if (frame.Command == StompCommand.Error)
            Failure ??= ConnectFailure.From(frame);
        if (frame.Command != StompCommand.Message)
            return;
        var isLast = false;
        lock (_guard)
        {
            if (_copies.TryTake(frame, stamp, out _))
                isLast = ++_arrived == messages;
        }

        if (frame.TryGet(StompNames.Ack, out var id))
            connection.TrySend(StompMessages.Ack(id));
        if (isLast)
            GiveUp();
    }
}
