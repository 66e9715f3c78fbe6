using System.Diagnostics;
using PubSubOverWs.LoadTest.Experiments.WhichQueue.Load.Brokers;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.WhichQueue.Load;

/// <summary>
/// Pairs of publisher and subscriber, each with a queue destination of its own. Where something is killed, subscribers come when all
/// messages have been answered: until then these wait in the queue.
/// </summary>
internal sealed class PairsLoad : ILoad
{
    // So long after the last was due, arrivals count as achieved.
    private static readonly TimeSpan Slack = TimeSpan.FromMilliseconds(250);

    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(20);

    // Of looks without an arrival: what is still in the queue then, or hidden, the proof of the drain waits for.
    private static readonly TimeSpan Quiet = TimeSpan.FromSeconds(2);

    private readonly WhichQueueScenario _scenario;
    private readonly string _run;
    private readonly QueuePair[] _pairs;
    private readonly bool _isFault;
    private readonly Arrival _arrival;
    private readonly Broker? _broker;
    private Task _bringing = Task.CompletedTask;

    /// <param name="broker">Where messages go; null: this run did not start it.</param>
    public PairsLoad(WhichQueueScenario scenario, Trial trial, string run, ServerGroup servers, Broker? broker)
    {
        _broker = broker;
        _scenario = scenario;
        _run = run;
        _isFault = QueueTrial.Of(trial.Level).IsFault;
        _arrival = scenario.ArrivalsAt(trial.Level);
        Sends = scenario.Sends(trial.Level);
        Waiting = new Countdown(scenario.Users);
        var name = Invariant($"{run}-{trial.Iteration}");
        _pairs = [.. Enumerable.Range(0, scenario.Users).Select(user => new QueuePair(
            user, name, Enumerable.Range(0, (int)Sends).Count(send => send % scenario.Users == user), scenario,
            Draws.SeedOf(scenario.Seed, trial.Iteration), servers.TargetOf(user), Waiting, comesLater: _isFault))];
    }

    public IReadOnlyList<IParticipant> Participants => _pairs;

    public Countdown Waiting { get; }

    public LoadBounds Bounds => new(_scenario.Deadline, LoadBounds.DefaultConnectsUnderWay, LoadBounds.DefaultGrace);

    public long Sends { get; }

    public TimeSpan DueAt(long send) => _arrival.DueAt(send, Sends);

    public void Send(long send) => _pairs[send % _pairs.Length].Send();

    public void Begin(long firstDue)
    {
        _broker?.CountWritten();
        if (_isFault)
            _bringing = BringSubscribersAsync();
    }

    public Observed Observe(long start, long firstDue)
    {
        if (_bringing.Exception is { } failed)
            throw failed;
        var account = new FlowAccount(WhichQueueScenario.Message, _scenario.Deadline);
        var offset = Stopwatch.GetElapsedTime(start, firstDue);
        var inTime = 0L;
        for (var send = 0L; send < Sends; send++)
        {
            var pair = _pairs[send % _pairs.Length];
            var sequence = (int)(send / _pairs.Length);
            var own = pair.Messages[sequence];
            var arrived = pair.ArrivedAt(sequence);
            if (arrived is { } stamp && Stopwatch.GetElapsedTime(firstDue, stamp) <= _scenario.For + Slack)
                inTime++;
            account.Add(new Observation(
                own.Id, pair.Index, pair.Index, offset + DueAt(send), Time(own.SentAt), Time(own.ReceiptAt), own.Taken, Time(arrived),
                own.Refusal?.Cause ?? pair.Failure?.Cause ?? Cause.None));
        }

        return new Observed(
            [], [_pairs.Aggregate(default(Anomalies), (sum, one) => sum.Add(one.Anomalies)), default], 0,
            Observed.Count(_pairs.SelectMany(pair => pair.Failures), _run))
        {
            Counted = [account, new FlowAccount(WhichQueueScenario.Passage, _scenario.Deadline)],
            Measures = new Dictionary<string, double?>
            {
                [WhichQueueScenario.Achieved.Name] = _isFault ? null : inTime / _scenario.For.TotalSeconds,
                [WhichQueueScenario.Republished.Name] = _pairs.Sum(pair => pair.Republished),
            },
        };

        TimeSpan? Time(long? stamp) => stamp is { } at ? Stopwatch.GetElapsedTime(start, at) : null;
    }

    // Ends with the trial at the latest.
    private async Task BringSubscribersAsync()
    {
        using var timer = new PeriodicTimer(BetweenLooks);
        var entered = _pairs.Where(pair => pair.IsIn).ToArray();
        var began = Stopwatch.GetTimestamp();
        // What is not answered by half the deadline is not waited for: the others' messages are not lost.
        while (!entered.All(pair => pair.IsAnswered) && Stopwatch.GetElapsedTime(began) < _scenario.Deadline / 2)
        {
            if (entered.All(pair => pair.IsGone))
                return;
            await timer.WaitForNextTickAsync();
        }

        await Task.WhenAll(entered.Select(pair => pair.SubscribeAsync()));
        var (arrived, since) = (0, Stopwatch.GetTimestamp());
        while (Stopwatch.GetElapsedTime(since) < Quiet)
        {
            if (_pairs.Sum(pair => pair.Arrived) is var now && now != arrived)
                (arrived, since) = (now, Stopwatch.GetTimestamp());
            await timer.WaitForNextTickAsync();
        }

        foreach (var pair in _pairs)
            pair.GiveUp();
    }
}
