using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;
using static PubSubOverWs.LoadTest.Experiments.Nodes.Load.NodesPlan;

namespace PubSubOverWs.LoadTest.Experiments.Nodes.Load;

/// <summary>One topic with many subscribers and several queues, all with subscribers and publishers at every node.</summary>
public sealed class NodesLoad : ILoad
{
    private readonly NodesPlan _plan;
    private readonly NodePublisher[][] _publishers;
    private readonly NodeSubscriber[] _topic;
    private readonly NodeSubscriber[] _queues;
    private readonly NodeArrivals _fromQueues;

    public NodesLoad(NodesPlan plan, ServerGroup servers)
    {
        _plan = plan;
        var client = 0;
        Waiting = new Countdown(plan.Scenario.TopicSubscribers + 1);
        _fromQueues = new NodeArrivals(plan.Prefix(ToQueues), plan.Messages, Waiting);
        _publishers = [.. new[] { ToTopic, ToQueues }.Select(flow => Enumerable.Range(0, plan.Nodes)
            .Select(node => new NodePublisher(From(node), plan, flow, node, plan.BackoffOf(client++))).ToArray())];
        _topic = [.. Enumerable.Range(0, plan.Scenario.TopicSubscribers).Select(i => new NodeSubscriber(
            From(i), plan.BackoffOf(client++), plan.Topic, acknowledges: false,
            new NodeArrivals(plan.Prefix(ToTopic), plan.Messages, Waiting), number => Message(ToTopic, number).SentAt is not null))];
        _queues = [.. Enumerable.Range(0, plan.Scenario.Queues * plan.Nodes).Select(i => new NodeSubscriber(
            From(i), plan.BackoffOf(client++), plan.Queue(i / plan.Nodes), acknowledges: true, _fromQueues, wasSent: null))];
        Participants = [.. _topic, .. _queues, .. _publishers.SelectMany(one => one)];

        // Each begins with another node.
        IReadOnlyList<ClientTarget> From(int node) => [.. Enumerable.Range(node, plan.Nodes).Select(servers.TargetOf)];
    }

    public IReadOnlyList<IParticipant> Participants { get; }

    public Countdown Waiting { get; }

    public LoadBounds Bounds => new(_plan.Scenario.Deadline, LoadBounds.DefaultConnectsUnderWay, LoadBounds.DefaultGrace);

    public long Sends => 2L * _plan.Messages;

    public TimeSpan DueAt(long send) => _plan.DueAt((int)(send % 2), (int)(send / 2));

    public void Send(long send) => PublisherOf((int)(send % 2), (int)(send / 2)).BecomesDue();

    public Observed Observe(long start, long firstDue)
    {
        var offset = Stopwatch.GetElapsedTime(start, firstDue);
        var numbers = Enumerable.Range(0, _plan.Messages);
        Observation[] seen =
        [
            .. numbers.SelectMany(number => _topic.Select((one, i) => Seen(
                ToTopic, number, i, one.Arrivals.At(number), one.WasTold(Message(ToTopic, number).LastSentAt)))),
            .. numbers.Select(number => Seen(ToQueues, number, number % _plan.Scenario.Queues, _fromQueues.At(number), wasTold: false)),
        ];
        Anomalies[] anomalies =
            [_topic.Aggregate(default(Anomalies), (sum, one) => sum.Add(one.Arrivals.Anomalies)), _fromQueues.Anomalies];
        return new Observed(seen, anomalies, seen.LongCount(one => one.Taken), Failures())
        {
            Measures = new Dictionary<string, double?>
            {
                // A message is promised to its recipient once the publisher knows that it was taken.
                [NodesScenario.TopicTold.Name] = seen.Count(one =>
                    one is { Flow: ToTopic, Taken: true, Received: null, Failure: Cause.ServerClosed }),
                [NodesScenario.Disconnected.Name] = _topic.Count(one => one.Outages.Count > 0),
                [NodesScenario.Republished.Name] = _publishers.Sum(flow => flow.Sum(one => one.Republished)),
            },
        };

        Observation Seen(int flow, int number, int recipient, long? arrived, bool wasTold)
        {
            var own = Message(flow, number);
            var cause = own.Refusal?.Cause ?? (wasTold ? Cause.ServerClosed : Cause.None);
            return new Observation(
                own.Id, (flow * _plan.Nodes) + (number % _plan.Nodes), recipient, offset + _plan.DueAt(flow, number), Time(own.SentAt),
                Time(own.ReceiptAt), own.Taken, Time(arrived), cause)
            { Flow = flow };
        }

        TimeSpan? Time(long? stamp) => stamp is { } at ? Stopwatch.GetElapsedTime(start, at) : null;
    }

    private Dictionary<string, int> Failures() => Observed.Count(
        _publishers.SelectMany(flow => flow).SelectMany(one => one.Failures)
            .Concat(_topic.Concat(_queues).Select(one => one.Failure)), _plan.Run);

    private NodePublisher PublisherOf(int flow, int number) => _publishers[flow][number % _plan.Nodes];

    private OwnMessage Message(int flow, int number) => PublisherOf(flow, number).Messages[number / _plan.Nodes];
}

/// <summary>Publishers and subscribers at several nodes, which go to the next when they are disconnected.</summary>
public sealed class NodesExperiment : Experiment
{
    public override ScenarioKind Kind => NodesScenario.Experiment;

    public override Analysis Analysis => NodesAnalysis.Analysis;

    public override ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers)
    {
        return new NodesLoad(
            new NodesPlan((NodesScenario)scenario, run, trial.Iteration, scenario.ArrivalsAt(trial.Level)), servers);
    }

    public override IReadOnlyDictionary<string, double?> Measures(TrialOutcome outcome) =>
        new Dictionary<string, double?>(outcome.Measured.Measures)
        {
            [FaultAction.ReadyAgain.Name] = outcome.Disturbance?.ReadyAgain?.TotalSeconds,
        };
}
