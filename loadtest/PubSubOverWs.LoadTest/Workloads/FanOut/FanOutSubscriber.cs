using System.Buffers.Text;
using System.Text;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Workloads.FanOut;

/// <summary>A subscriber of the topic: when the first intact copy of each message came, and what came otherwise than it should.</summary>
public sealed class FanOutSubscriber : SingleConnection
{
    private readonly FanOutPlan _plan;
    private readonly Countdown _waiting;
    private readonly byte[] _prefix;
    private readonly long[] _arrived;
    private readonly int[] _latest;
    private ConnectFailure? _failure;
    private int _missing;
    private Anomalies _anomalies;

    /// <param name="plan">Of the iteration.</param>
    /// <param name="target">Where it connects.</param>
    /// <param name="waiting">Told once, when there is nothing more to wait for.</param>
    public FanOutSubscriber(FanOutPlan plan, ClientTarget target, Countdown waiting)
        : base(target, LoadBounds.DefaultConnectTimeout)
    {
        (_plan, _waiting, _missing) = (plan, waiting, plan.Messages);
        _prefix = Encoding.ASCII.GetBytes(plan.Name + "-");
        _arrived = new long[plan.Messages];
        _latest = new int[plan.Publishers];
    }

    /// <summary>Messages that came, each once.</summary>
    public int Reached { get; private set; }

    public Anomalies Anomalies => _anomalies;

    public override ConnectFailure? Failure => _failure;

    /// <summary>The stamp of <see cref="System.Diagnostics.Stopwatch"/> at the first intact copy of a message; null: none came.</summary>
    public long? ArrivedAt(int message) => _arrived[message] is not 0 and var stamp ? stamp : null;

    protected override async Task<ConnectFailure?> GreetAsync()
    {
        if (await Connection.LogInAsync() is { } failure)
            return failure;
        return Connection.TrySend(StompMessages.Subscribe("s", _plan.Destination))
            ? await Connection.ExpectAsync(StompCommand.Receipt)
            : new ConnectFailure(Cause.HandshakeRejected, "closed at SUBSCRIBE");
    }

    protected override void Take(StompFrame frame, long stamp)
    {
        if (frame.Command == StompCommand.Message)
            Count(frame, stamp);
        else if (frame.Command == StompCommand.Error)
            GiveUp(new ConnectFailure(Cause.ServerClosed, $"ERROR {frame.GetString(StompNames.Message)}"));
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
        if (!Payload.TryRead(frame.Body, out var id) || (frame.TryGet(StompNames.Id, out var header) && !header.SequenceEqual(id)))
            _anomalies = _anomalies with { Corrupted = _anomalies.Corrupted + 1 };
        else if (!TryNumber(id, out var message))
            _anomalies = _anomalies with { Unexpected = _anomalies.Unexpected + 1 };
        else if (_arrived[message] != 0)
            _anomalies = _anomalies with { Duplicates = _anomalies.Duplicates + 1 };
        else
            Take(message, stamp);
    }

    private void Take(int message, long stamp)
    {
        _arrived[message] = stamp;
        Reached++;
        ref var latest = ref _latest[_plan.PublisherOf(message)];
        if (message < latest)
            _anomalies = _anomalies with { Reorderings = _anomalies.Reorderings + 1 };
        latest = Math.Max(latest, message);
        if (_missing > 0 && --_missing == 0)
            _waiting.Signal();
    }

    private bool TryNumber(ReadOnlySpan<byte> id, out int message)
    {
        message = 0;
        return id.StartsWith(_prefix) && Utf8Parser.TryParse(id[_prefix.Length..], out message, out var length)
            && length == id.Length - _prefix.Length && message >= 0 && message < _plan.Messages;
    }
}
