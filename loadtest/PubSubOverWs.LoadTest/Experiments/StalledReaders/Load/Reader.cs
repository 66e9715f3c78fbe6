using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.StalledReaders.Load;

/// <summary>A connection that sends messages to a queue of its own, and reads all the time.</summary>
public sealed class Reader : SingleConnection
{
    private readonly StalledReadersPlan _plan;
    private readonly int _index;
    private readonly Countdown _waiting;
    private readonly OwnMessage[] _messages;
    private readonly byte[][] _sends;
    private readonly FirstCopies _copies;
    private ConnectFailure? _failure;
    private int _missing;
    private int _latest;
    private Anomalies _settling;
    private long _reorderings;

    /// <param name="index">From 0.</param>
    /// <param name="waiting">Told once, when there is nothing more to wait for.</param>
    public Reader(int index, StalledReadersPlan plan, ClientTarget target, Countdown waiting)
        : base(target, LoadBounds.DefaultConnectTimeout)
    {
        _index = index;
        _plan = plan;
        _waiting = waiting;
        _missing = plan.MessagesOf(index);
        _messages = [.. Enumerable.Range(0, _missing).Select(sequence => new OwnMessage(Invariant($"{plan.Prefix(index)}{sequence}")))];
        _sends = [.. _messages.Select((message, sequence) => StompMessages.Send(
            plan.Queue(index), message.Id, Payload.Write(plan.PayloadBytes, message.Id, index, sequence), receipt: null))];
        _copies = new FirstCopies(plan.Prefix(index), _missing);
    }

    /// <summary>In the order in which it sends them.</summary>
    public IReadOnlyList<OwnMessage> Messages => _messages;

    /// <summary>Of each half; what belongs to no message counts with the judged one.</summary>
    public IReadOnlyList<Anomalies> Anomalies =>
    [
        _settling,
        _copies.Anomalies with { Duplicates = _copies.Anomalies.Duplicates - _settling.Duplicates, Reorderings = _reorderings },
    ];

    public override ConnectFailure? Failure => _failure;

    /// <summary>The stamp of <see cref="Stopwatch"/> at the first intact copy of a message; null: none came.</summary>
    public long? ArrivedAt(int sequence) => _copies[sequence];

    /// <summary>A message is due.</summary>
    /// <param name="sequence">Its place among the messages of this reader, from 0.</param>
    public void Send(int sequence) => Send(_sends[sequence], _messages[sequence]);

    /// <summary>Sends a message to one of the other connections. False: it could not.</summary>
    public bool SendToOther(ReadOnlySpan<byte> send) => IsIn && Connection.TrySend(send);

    protected override async Task<ConnectFailure?> GreetAsync() =>
        await Connection.LogInAsync() ?? await Connection.SubscribeAsync(StompMessages.Subscribe("s", _plan.Queue(_index)), Take);

    protected override void Take(StompFrame frame, long stamp)
    {
        if (frame.Command == StompCommand.Error)
            GiveUp(ConnectFailure.From(frame));
        if (frame.Command != StompCommand.Message)
            return;
        var duplicates = _copies.Anomalies.Duplicates;
        var isFirst = _copies.TryTake(frame, stamp, out var sequence);
        var isSettling = _plan.IsSettling((sequence * _plan.Readers) + _index);
        if (isSettling && _copies.Anomalies.Duplicates > duplicates)
            _settling = _settling with { Duplicates = _settling.Duplicates + 1 };
        if (isFirst)
            Count(sequence, isSettling);
    }

    protected override void GiveUp(ConnectFailure failure)
    {
        _failure ??= failure;
        if (_missing == 0)
            return;
        _missing = 0;
        _waiting.Signal();
    }

    private void Count(int sequence, bool isSettling)
    {
        if (sequence < _latest && isSettling)
            _settling = _settling with { Reorderings = _settling.Reorderings + 1 };
        else if (sequence < _latest)
            _reorderings++;
        _latest = Math.Max(_latest, sequence);
        if (_missing > 0 && --_missing == 0)
            _waiting.Signal();
    }
}
