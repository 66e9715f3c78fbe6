using System.Diagnostics;
using System.Runtime.InteropServices;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.IdleConnections.Load;

/// <summary>What the clients of all load processes have seen of an iteration.</summary>
public sealed class IdleConnectionsSeen(IdleConnectionsPlan plan)
{
    // By message, and in it by subscriber; 0: it did not come.
    private readonly long[][] _arrived = [.. Enumerable.Range(0, plan.Topic.Messages).Select(_ => new long[plan.Connections])];
    private readonly ConnectFailure?[] _failures = new ConnectFailure?[plan.Connections];
    private readonly SentMessage[] _sent =
        [.. Enumerable.Repeat(new SentMessage(null, null, Taken: false, Refusal: null), plan.Topic.Messages)];
    private ConnectFailure? _publisher;
    private Anomalies _anomalies;

    /// <summary>Adds what the clients of a load process have seen. Each subscriber is in one of them, so merging is exact.</summary>
    /// <param name="share">Which subscribers the process has.</param>
    /// <exception cref="InvalidDataException">It has not seen this iteration, or what no client of the share can have seen.</exception>
    public void Merge(IdleConnectionsAccount account, LoadShare share, WorkerClock clock)
    {
        var sent = IdleConnectionsClients.HasPublisher(share) ? plan.Topic.Messages : 0;
        Demand(account.Connections == plan.Connections,
            $"it is about {account.Connections} connections, and the iteration has {plan.Connections}");
        Demand(account.Sent.Count == sent, $"it has sent {account.Sent.Count} messages of {sent}");
        var expected = share.CountIn(plan.Connections) * plan.Topic.Messages;
        Demand(account.Stamps.Length == expected * sizeof(long), $"it has {account.Stamps.Length} bytes of {expected} stamps");
        if (account.Failures.FirstOrDefault(failure => !share.Has(failure.Client, plan.Connections)) is { } stranger)
            throw new InvalidDataException($"it has no client {stranger.Client}");

        var stamps = MemoryMarshal.Cast<byte, long>(account.Stamps);
        foreach (var subscriber in share.In(plan.Connections))
        {
            for (var message = 0; message < plan.Topic.Messages; message++)
                _arrived[message][subscriber] = stamps[message] is 0 ? 0 : clock.Here(stamps[message]);
            stamps = stamps[plan.Topic.Messages..];
        }

        foreach (var failure in account.Failures)
            _failures[failure.Client] = failure.ToConnectFailure();
        account.Sent.Select(one => one with { SentAt = clock.Here(one.SentAt), ReceiptAt = clock.Here(one.ReceiptAt) }).ToArray()
            .CopyTo(_sent, 0);
        _publisher ??= account.Publisher?.ToConnectFailure();
        _anomalies = _anomalies.Add(account.Anomalies);
    }

    /// <param name="start">The iteration's start, a stamp of <see cref="Stopwatch"/>.</param>
    /// <param name="firstDue">When all had subscribed, likewise.</param>
    public Observed Observe(Flow flow, ServerReadings readings, long start, long firstDue)
    {
        var account = new FlowAccount(flow, plan.Deadline);
        Reach[] reached =
            [.. Enumerable.Range(0, plan.Topic.Messages).Select(message => Count(message, account, start, firstDue))];
        return new Observed(
            [], [_anomalies], 0,
            Observed.Count(
                _sent.Select(message => message.Refusal?.ToConnectFailure()).Append(_publisher).Concat(_failures), plan.Topic.Name))
        {
            Counted = [account],
            Measures = new Dictionary<string, double?>(
                readings.Measures(plan.Connections - _failures.Count(one => one is not null), reached.Sum(one => one.Reached),
                    _arrived.Max(copies => copies.Max())))
            {
                [IdleConnectionsScenario.HalfReached.Name] = Reach.Mean(reached, 50),
                [IdleConnectionsScenario.MostReached.Name] = Reach.Mean(reached, 99),
                [IdleConnectionsScenario.AllReached.Name] = Reach.Mean(reached, 100),
            },
        };
    }

    // Every subscriber of the plan is a recipient, whether it was ever connected or not.
    private Reach Count(int message, FlowAccount account, long start, long firstDue)
    {
        var own = _sent[message];
        var due = Stopwatch.GetElapsedTime(start, firstDue) + plan.DueAt(message);
        var sent = new Observation(
            plan.Topic.MessageId(message), 0, 0, due, Time(own.SentAt), Time(own.ReceiptAt), own.Taken, null, Cause.None);
        var times = new List<TimeSpan>(plan.Connections);
        for (var i = 0; i < plan.Connections; i++)
        {
            var seen = sent with
            {
                Recipient = i,
                Received = Time(_arrived[message][i] is not 0 and var stamp ? stamp : null),
                Failure = own.Refusal?.Cause ?? _publisher?.Cause ?? _failures[i]?.Cause ?? Cause.None,
            };
            if (account.Add(seen) == Outcome.Delivered)
                times.Add(seen.Received!.Value - due);
        }

        return new Reach(times, plan.Connections);

        TimeSpan? Time(long? stamp) => stamp is { } at ? Stopwatch.GetElapsedTime(start, at) : null;
    }

    private static void Demand(bool holds, string otherwise)
    {
        if (!holds)
            throw new InvalidDataException(otherwise);
    }
}

/// <summary>How far a message had come at which time.</summary>
public sealed class Reach
{
    private readonly TimeSpan[] _times;
    private readonly int _subscribers;

    /// <param name="times">When its copies came, of those that came in time, after it was due.</param>
    /// <param name="subscribers">That it is meant for: 1 or more.</param>
    public Reach(IEnumerable<TimeSpan> times, int subscribers) => (_times, _subscribers) = ([.. times.Order()], subscribers);

    /// <summary>Subscribers that had it in time.</summary>
    public int Reached => _times.Length;

    /// <summary>The mean over messages of the time until a share of the subscribers had each, in ms; null: one never came so far.</summary>
    /// <param name="percent">Of the subscribers: 1 to 100.</param>
    public static double? Mean(IReadOnlyList<Reach> messages, int percent) =>
        messages.All(one => one.Until(percent) is not null) ? messages.Average(one => one.Until(percent)!.Value.TotalMilliseconds) : null;

    /// <summary>The time until at least this share of the subscribers had it; null: it never came so far.</summary>
    /// <param name="percent">1 to 100.</param>
    public TimeSpan? Until(int percent)
    {
        var needed = (int)((((long)_subscribers * percent) + 99) / 100);
        return needed <= _times.Length ? _times[needed - 1] : null;
    }
}

/// <summary>
/// All connections, which load processes have: the run reads what the servers take, and merges what the processes have seen.
/// </summary>
/// <param name="servers">Where clients connect, spread evenly.</param>
public sealed class IdleConnectionsLoad(
    IdleConnectionsScenario scenario, IdleConnectionsPlan plan, IReadOnlyList<LoadWorker> workers, ServerGroup servers,
    ServerReadings readings)
    : WorkersLoad(
        plan, scenario.Kind.Name, servers, workers, plan.Connections + 1,
        [scenario.Settle, scenario.Settle + scenario.Idle, plan.DueAt(plan.Topic.Messages)])
{
    protected override TimeSpan Deadline => plan.Deadline;

    public override void Send(long send) => readings.Take();

    public override Observed Observe(long start, long firstDue)
    {
        var seen = new IdleConnectionsSeen(plan);
        return Observe<IdleConnectionsAccount>(seen.Merge, () => seen.Observe(scenario.Flows[0], readings, start, firstDue));
    }
}
