using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.StalledReaders.Load;

/// <summary>Readers that send to themselves, and to other connections directly before that.</summary>
[SuppressMessage("Design", "CA1001", Justification = "The caller disposes of the participants.")]
public sealed class StalledReadersLoad : ILoad
{
    private readonly StalledReadersPlan _plan;
    private readonly Reader[] _readers;
    private readonly OtherReaders _others;
    private readonly byte[][] _toOthers;
    private long _sentToOthers;

    public StalledReadersLoad(StalledReadersPlan plan, ServerGroup servers)
    {
        _plan = plan;
        var areWaitedFor = plan.Doing == Doing.Reading && plan.MessagesToOthers > 0;
        Waiting = new Countdown(Math.Min(plan.Readers, plan.Messages) + (areWaitedFor ? 1 : 0));
        _readers = [.. Enumerable.Range(0, plan.Readers).Select(i => new Reader(i, plan, servers.TargetOf(i), Waiting))];
        _others = new OtherReaders(plan, servers, areWaitedFor ? Waiting : null);
        byte[] body = [.. Enumerable.Repeat((byte)'x', plan.PayloadBytes)];
        _toOthers = [.. Enumerable.Range(0, plan.Others).Select(i => StompMessages.Send(plan.Topic(i), "other", body, receipt: null))];
        // Last: it waits for all of its members.
        Participants = [.. _readers, .. _others.Members, _others];
    }

    public IReadOnlyList<IParticipant> Participants { get; }

    public Countdown Waiting { get; }

    public LoadBounds Bounds => new(_plan.Deadline, LoadBounds.DefaultConnectsUnderWay, LoadBounds.DefaultGrace);

    public long Sends => _plan.Messages;

    public TimeSpan DueAt(long send) => _plan.DueAt(send);

    public void Send(long send)
    {
        var message = (int)send;
        if (message == _plan.Half)
            _others.BeginHalf();
        var reader = _readers[message % _plan.Readers];
        // Directly before its own: that would wait too if a server held the publisher for connections that do not read.
        for (var other = _plan.ToOthersBefore(message); other < _plan.ToOthersBefore(message + 1); other++)
            _sentToOthers += reader.SendToOther(_toOthers[other % _plan.Others]) ? 1 : 0;
        reader.Send(message / _plan.Readers);
    }

    public Observed Observe(long start, long firstDue)
    {
        var offset = Stopwatch.GetElapsedTime(start, firstDue);
        return new Observed(
            [.. Enumerable.Range(0, _plan.Messages).Select(Seen)], [AnomaliesOf(0), AnomaliesOf(1)], 0,
            Observed.Count(_readers.Select(one => one.Failure).Concat(_others.Members.Select(one => one.Failure)), _plan.Name))
        {
            Measures = _others.Measures(_sentToOthers),
        };

        Anomalies AnomaliesOf(int half) => _readers.Aggregate(default(Anomalies), (sum, one) => sum.Add(one.Anomalies[half]));

        Observation Seen(int message)
        {
            var reader = message % _plan.Readers;
            var sequence = message / _plan.Readers;
            var own = _readers[reader].Messages[sequence];
            return new Observation(
                own.Id, reader, reader, offset + _plan.DueAt(message), Time(own.SentAt), Receipt: null, Taken: false,
                Time(_readers[reader].ArrivedAt(sequence)), _readers[reader].Failure?.Cause ?? Cause.None)
            { Flow = _plan.IsSettling(message) ? 0 : 1 };
        }

        TimeSpan? Time(long? stamp) => stamp is { } at ? Stopwatch.GetElapsedTime(start, at) : null;
    }
}
