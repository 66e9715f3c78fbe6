using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>A subscriber of a topic: when the first intact copy of each message arrived, and the anomalies.</summary>
/// <param name="plan">Of the iteration.</param>
/// <param name="target">Where it connects.</param>
/// <param name="waiting">Told once, when there is nothing more to wait for.</param>
/// <param name="readBytes">As of <see cref="StompConnection"/>.</param>
public sealed class TopicSubscriber(
    TopicPlan plan, ClientTarget target, Countdown waiting, int readBytes = ReceiveBuffer.FirstSize)
    : SingleConnection(target, LoadBounds.DefaultConnectTimeout, readBytes: readBytes)
{
    private readonly FirstCopies _copies = new(plan.Prefix, plan.Messages);
    private readonly int[] _latest = new int[plan.Publishers];
    private ConnectFailure? _failure;
    private int _missing = plan.Messages;
    private long _reorderings;

    public Anomalies Anomalies => _copies.Anomalies with { Reorderings = _reorderings };

    public override ConnectFailure? Failure => _failure;

    /// <summary>The stamp of <see cref="System.Diagnostics.Stopwatch"/> at the first intact copy of a message; null: none came.</summary>
    public long? ArrivedAt(int message) => _copies[message];

    protected override async Task<ConnectFailure?> GreetAsync() =>
        await Connection.LogInAsync() ?? await Connection.SubscribeAsync(StompMessages.Subscribe("s", plan.Destination), Take);

    protected override void Take(StompFrame frame, long stamp)
    {
        if (frame.Command == StompCommand.Error)
            GiveUp(ConnectFailure.From(frame));
        else if (frame.Command == StompCommand.Message && _copies.TryTake(frame, stamp, out var message))
            Count(message);
    }

    protected override void GiveUp(ConnectFailure failure)
    {
        _failure ??= failure;
        Settle(_missing);
    }

    private void Count(int message)
    {
        ref var latest = ref _latest[plan.PublisherOf(message)];
        if (message < latest)
            _reorderings++;
        latest = Math.Max(latest, message);
        Settle(1);
    }

    private void Settle(int messages)
    {
        if (_missing > 0 && (_missing -= messages) == 0)
            waiting.Signal();
    }
}
