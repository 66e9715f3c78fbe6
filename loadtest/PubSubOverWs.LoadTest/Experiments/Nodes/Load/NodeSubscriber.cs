using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Nodes.Load;

/// <summary>
/// Subscribes at one node and, each time a node ends its connection, at the next. It remembers when it was disconnected, because it may
/// have missed messages then.
/// </summary>
public sealed class NodeSubscriber : ReturningClient, IParticipant
{
    private readonly byte[] _subscribe;
    private readonly Func<int, bool>? _wasSent;

    /// <param name="targets">The nodes, the first to subscribe at first.</param>
    /// <param name="wasSent">
    /// Whether a message was sent: one that was before it subscribed again may never come. Null: what it misses comes to another.
    /// </param>
    public NodeSubscriber(
        IReadOnlyList<ClientTarget> targets, Backoff backoff, string destination, bool acknowledges, NodeArrivals arrivals,
        Func<int, bool>? wasSent)
        : base(targets, backoff, LoadBounds.DefaultConnectTimeout)
    {
        Arrivals = arrivals;
        _wasSent = wasSent;
        _subscribe = StompMessages.Subscribe("s", destination, acknowledges ? "client-individual" : "auto");
    }

    public NodeArrivals Arrivals { get; }

    public bool IsIn { get; private set; }

    /// <summary>The first thing that went wrong; null: nothing.</summary>
    public ConnectFailure? Failure { get; private set; }

    /// <summary>Whether it was disconnected, and subscribed again only after this.</summary>
    /// <param name="sentAt">When a message was sent last; null: it was not sent.</param>
    public bool WasTold(long? sentAt) => sentAt is { } sent && Outages.Any(away => away.Until is not { } until || sent <= until);

    async Task IParticipant.EnterAsync(TimeProvider time)
    {
        Failure = await EnterAsync(time);
        IsIn = Failure is null;
        if (IsIn)
            return;
        Abort();
        if (_wasSent is not null)
            Arrivals.GiveUp();
    }

    public Task StopSendingAsync() => IsIn ? BackAsync() : Task.CompletedTask;

    protected override Task<ConnectFailure?> GreetAsync(StompConnection connection) =>
        connection.SubscribeAsync(_subscribe, (frame, stamp) => Take(connection, frame, stamp));

    protected override void Take(StompConnection connection, StompFrame frame, long stamp)
    {
        if (frame.Command == StompCommand.Message)
            Arrivals.Take(frame, stamp);
        else if (frame.Command == StompCommand.Error)
            Failure ??= ConnectFailure.From(frame);
        if (frame.Command == StompCommand.Message && frame.TryGet(StompNames.Ack, out var id))
            connection.TrySend(StompMessages.Ack(id));
    }

    // Before the first message nothing was sent.
    protected override void Arrived(StompConnection connection)
    {
        if (_wasSent is not null)
            Arrivals.Excuse(_wasSent);
    }

    protected override void Lost(string? why) =>
        Failure ??= new ConnectFailure(Cause.ServerClosed, why ?? "a subscriber lost its connection");
}

/// <summary>
/// When the messages of a flow first arrived, and their anomalies: at one subscriber of a topic, or at all that share queues. Thread-safe.
/// </summary>
/// <param name="prefix">Of the ids; their number follows.</param>
/// <param name="waiting">Told once, when there is nothing more to wait for.</param>
public sealed class NodeArrivals(string prefix, int messages, Countdown waiting)
{
    private readonly Lock _guard = new();
    private readonly FirstCopies _copies = new(prefix, messages);
    private readonly bool[] _settled = new bool[messages];
    private int _open = messages;

    public Anomalies Anomalies => _copies.Anomalies;

    /// <summary>When the first intact copy came, a stamp of <see cref="System.Diagnostics.Stopwatch"/>; null: none came.</summary>
    public long? At(int number) => _copies[number];

    public void Take(StompFrame message, long stamp)
    {
        lock (_guard)
        {
            if (_copies.TryTake(message, stamp, out var number) && !_settled[number])
                Settle(number);
        }
    }

    /// <summary>Stops waiting for missing messages whose recipient knows that it may have missed them.</summary>
    public void Excuse(Func<int, bool> isTold)
    {
        lock (_guard)
        {
            for (var number = 0; number < _settled.Length; number++)
            {
                if (!_settled[number] && isTold(number))
                    Settle(number);
            }
        }
    }

    /// <summary>There is nothing more to wait for.</summary>
    public void GiveUp() => Excuse(_ => true);

    private void Settle(int number)
    {
        _settled[number] = true;
        if (--_open == 0)
            waiting.Signal();
    }
}
