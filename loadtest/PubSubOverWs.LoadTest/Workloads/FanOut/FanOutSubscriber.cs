using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Workloads.FanOut;

/// <summary>A subscriber of the topic: when the first intact copy of each message arrived, and the anomalies.</summary>
public sealed class FanOutSubscriber : SingleConnection
{
    private readonly FanOutPlan _plan;
    private readonly Countdown _waiting;
    private readonly FirstCopies _copies;
    private readonly int[] _latest;
    private ConnectFailure? _failure;
    private int _missing;
    private long _reorderings;

    /// <param name="plan">Of the iteration.</param>
    /// <param name="target">Where it connects.</param>
    /// <param name="waiting">Told once, when there is nothing more to wait for.</param>
    public FanOutSubscriber(FanOutPlan plan, ClientTarget target, Countdown waiting)
        : base(target, LoadBounds.DefaultConnectTimeout)
    {
        (_plan, _waiting, _missing) = (plan, waiting, plan.Messages);
        _copies = new FirstCopies(plan.Name + "-", plan.Messages);
        _latest = new int[plan.Publishers];
    }

    /// <summary>Messages that came, each once.</summary>
    public int Reached { get; private set; }

    public Anomalies Anomalies => _copies.Anomalies with { Reorderings = _reorderings };

    public override ConnectFailure? Failure => _failure;

    /// <summary>The stamp of <see cref="System.Diagnostics.Stopwatch"/> at the first intact copy of a message; null: none came.</summary>
    public long? ArrivedAt(int message) => _copies[message];

    protected override async Task<ConnectFailure?> GreetAsync() =>
        await Connection.LogInAsync() ?? await Connection.SubscribeAsync(StompMessages.Subscribe("s", _plan.Destination), Take);

    protected override void Take(StompFrame frame, long stamp)
    {
        if (frame.Command == StompCommand.Message)
            Count(frame, stamp);
        else if (frame.Command == StompCommand.Error)
            GiveUp(ConnectFailure.Of(frame));
    }

    protected override void GiveUp(ConnectFailure failure)
    {
        _failure ??= failure;
        if (_missing == 0)
            return;
        _missing = 0;
        _waiting.Signal();
    }

    private void Count(StompFrame frame, long stamp)
    {
        if (!_copies.TryTake(frame, stamp, out var message))
            return;
        Reached++;
        ref var latest = ref _latest[_plan.PublisherOf(message)];
        if (message < latest)
            _reorderings++;
        latest = Math.Max(latest, message);
        if (_missing > 0 && --_missing == 0)
            _waiting.Signal();
    }
}
