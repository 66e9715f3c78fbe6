using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load;

/// <summary>Small requests and their replies beside a stream to the same client.</summary>
public sealed class InterferenceExperiment : Experiment
{
    public override ScenarioKind Kind => InterferenceScenario.Experiment;

    public override Analysis Analysis => InterferenceAnalysis.Analysis;

    public override IReadOnlyList<Target> Targets { get; init; } = [new StreamTarget(), new ReferenceTarget()];

    public override ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers)
    {
        var interference = (InterferenceScenario)scenario;
        return new InterferenceLoad(
            new InterferencePlan(
                Invariant($"{run}-{trial.Iteration}"), InterferenceScenario.StreamOf(trial.Level), interference.Requests,
                interference.ArrivalsAt(trial.Level), interference.PayloadBytes, interference.Deadline)
            {
                Sockets = trial.Arm.Name switch
                {
                    InterferenceArms.TwoSockets => Sockets.Two,
                    InterferenceArms.Http2 => Sockets.Http2,
                    _ => Sockets.One,
                },
                ChunkBytes = trial.Arm.Name == InterferenceArms.Chunked ? interference.ChunkBytes : 0,
            },
            servers.SubscribingOf(0));
    }
}

/// <summary>One iteration.</summary>
/// <param name="Name">Distinguishes its requests from those of any other.</param>
/// <param name="Stream">Beside the replies.</param>
/// <param name="Requests">1 or more.</param>
/// <param name="Arrival">When they are due.</param>
/// <param name="RequestBytes">Of each.</param>
/// <param name="Deadline">From due; a reply that comes later is late.</param>
public sealed record InterferencePlan(
    string Name, DummyMessages Stream, int Requests, Arrival Arrival, int RequestBytes, TimeSpan Deadline)
{
    // The stream runs before the first request is sent, and everything that its start moved has come to rest.
    private static readonly TimeSpan LeadIn = TimeSpan.FromMilliseconds(200);

    /// <summary>Those of the client.</summary>
    public Sockets Sockets { get; init; }

    /// <summary>Larger messages of the stream come in chunks; 0: whole.</summary>
    public int ChunkBytes { get; init; }

    /// <summary>When a request is due, from the first moment of the iteration.</summary>
    /// <param name="request">From 0.</param>
    public TimeSpan DueAt(long request) => LeadIn + Arrival.DueAt(request, Requests);
}

/// <summary>The WebSockets of a client.</summary>
public enum Sockets
{
    /// <summary>One for requests and stream.</summary>
    One,

    /// <summary>One for each, on connections of their own.</summary>
    Two,

    /// <summary>One for each, on one HTTP/2 connection.</summary>
    Http2,
}
