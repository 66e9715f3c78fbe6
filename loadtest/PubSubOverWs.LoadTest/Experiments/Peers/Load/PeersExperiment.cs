using PubSubOverWs.LoadTest.Experiments.Peers.Load.Dialects;
using PubSubOverWs.LoadTest.Experiments.Peers.Load.Servers;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load;

/// <summary>The same load on servers of this program, of another build of it, and of others.</summary>
public sealed class PeersExperiment : Experiment
{
    public override ScenarioKind Kind => PeersScenario.Experiment;

    public override Analysis Analysis => PeersAnalysis.Analysis;

    public override IReadOnlyList<Target> Targets { get; init; } = [new PeerTarget(), new LocalSqsTarget()];

    public override ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers)
    {
        var one = new PeersTrial((PeersScenario)scenario, trial, run, servers);
        return one.Row == PeerRow.Queue ? new QueueRow(one)
            : one.Row == PeerRow.FanOut ? new FanOutRow(one)
            : one.Row.IsIdle ? new IdleRow(one)
            : new RoundTripRow(one);
    }

    public override IReadOnlyDictionary<string, double?> Measures(TrialOutcome outcome)
    {
        var row = outcome.Row;
        var measured = outcome.Measured.Measures;
        if (!measured.TryGetValue(RowLoad.Messages, out var messages))
            return measured;
        // Of the queue's arms the queue is the server.
        var cpu = row.Cpu.Server + (row.Cpu.Queue ?? TimeSpan.Zero);
        return new Dictionary<string, double?>(measured)
        {
            [PeersScenario.Figure.Name] = messages > 0 ? cpu?.TotalMicroseconds / messages : null,
        };
    }
}

/// <summary>One trial.</summary>
/// <param name="Run">Distinguishes its destinations from those of other runs.</param>
/// <param name="Servers">One, where clients connect.</param>
internal sealed record PeersTrial(PeersScenario Scenario, Trial Trial, string Run, ServerGroup Servers)
{
    public PeerRow Row => PeersScenario.RowOf(Trial.Level);

    /// <summary>What messages, destinations and queues of the trial begin with.</summary>
    public string Name => Invariant($"{Run}-{Trial.Iteration}");

    /// <summary>Of its row.</summary>
    public int Clients => Scenario.UsersAt(Trial.Level);

    /// <summary>The load of its saturating clients.</summary>
    /// <param name="writes">How they send.</param>
    public LoadShape Shape(Writes writes = Writes.AsCame) =>
        new(Clients, Scenario.Depth, Scenario.PayloadBytes, Dialect) { Writes = writes };

    /// <summary>What one connection speaks.</summary>
    public IDialect Dialect() => Trial.Arm.Name switch
    {
        PeersArms.Echo or PeersArms.Ws => new EchoDialect(Scenario.PayloadBytes),
        PeersArms.Nats => new NatsDialect(),
        PeersArms.Mosquitto => new MqttDialect(),
        PeersArms.Nchan => new NchanDialect(),
        _ => new StompDialect(),
    };
}
