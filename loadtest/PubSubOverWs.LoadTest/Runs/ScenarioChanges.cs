using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Faults;
using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What the command line changes of a scenario; null and false leave it as it is.</summary>
public sealed record ScenarioChanges
{
    public bool Quick { get; init; }

    public IReadOnlyList<int>? Users { get; init; }

    public int? Iterations { get; init; }

    public int? Blocks { get; init; }

    public IReadOnlyList<string>? Arms { get; init; }

    /// <summary>The server of which two instances are the arms, <c>direct</c> or <c>pubsub</c>; null: no A/A run.</summary>
    public string? AgainstItself { get; init; }

    public string? Arrival { get; init; }

    /// <summary>A profile, with its defaults.</summary>
    public string? Fault { get; init; }

    public string? QueueLatency { get; init; }

    public int? PubSubNodes { get; init; }

    public bool Receipts { get; init; }

    public bool NoPin { get; init; }

    public int? Seed { get; init; }

    /// <summary>Added to the scenario's own.</summary>
    public IReadOnlyList<string> Gates { get; init; } = [];

    /// <summary>True: nothing but gates, which change no measurement.</summary>
    public bool IsEmpty => this with { Gates = [] } == new ScenarioChanges();

    /// <summary>The scenario as it will run, its levels from low to high.</summary>
    /// <exception cref="ScenarioException">A value is out of its range.</exception>
    public Scenario ApplyTo(Scenario scenario)
    {
        var start = Quick ? scenario.ToQuick() : scenario;
        var iterations = Iterations ?? start.Iterations;
        var fault = Fault is null ? start.Fault : FaultProfiles.Of(Fault);
        return (start with
        {
            Users = [.. (Users ?? start.Users).Order()],
            Iterations = iterations,
            // Fewer iterations than the scenario has blocks: asked for one and not the other, one cannot be dealt over more.
            Blocks = Blocks ?? Math.Min(start.Blocks, iterations),
            Arms = AgainstItself is { } server
                ? Experiment.Design.Arms.AgainstItself(server)
                : Arms is not null ? Experiment.Design.Arms.Of(Arms)
                : Fault is null ? start.Arms : Experiment.Design.Arms.Of(fault.DefaultArms),
            Arrival = Arrival is not null ? Experiment.Design.Arrival.Parse(Arrival)
                : Fault is null ? start.Arrival : start.Arrival.AtLeast(fault.LeastSpread),
            QueueLatency = QueueLatency is null ? start.QueueLatency : Experiment.Design.QueueLatency.Parse(QueueLatency),
            PubSubNodes = PubSubNodes ?? start.PubSubNodes,
            Receipts = Receipts || start.Receipts,
            Pinning = !NoPin && start.Pinning,
            Fault = fault,
            WarmUps = Fault is null ? start.WarmUps : Math.Max(start.WarmUps, fault.LeastWarmUps),
            Seed = Seed ?? start.Seed,
            // Gates name direct and pubsub; what an A/A run must satisfy is the A/A criterion.
            Gates = AgainstItself is null ? [.. start.Gates, .. Gates] : [],
            Quick = null,
        }).Checked();
    }
}
