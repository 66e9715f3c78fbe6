using System.Globalization;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Gates;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What the command line changes of a scenario; null and false leave it as it is.</summary>
public sealed record ScenarioChanges
{
    public bool Quick { get; init; }

    /// <summary>Keys of the scenario with other values, such as <c>deadline=2s</c>; before all that follows.</summary>
    public IReadOnlyList<string> Settings { get; init; } = [];

    public IReadOnlyList<int>? Users { get; init; }

    public int? Iterations { get; init; }

    public int? Blocks { get; init; }

    public IReadOnlyList<string>? Arms { get; init; }

    /// <summary>The target of which two instances are the arms; null: no A/A run.</summary>
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
        var start = Settings.Aggregate(Quick ? scenario.ToQuick() : scenario, Set);
        var iterations = Iterations ?? start.Iterations;
        var changed = start with
        {
            Iterations = iterations,
            // Fewer iterations than the scenario has blocks: asked for one and not the other, one cannot be dealt over more.
            Blocks = Blocks ?? Math.Min(start.Blocks, iterations),
            Receipts = Receipts || start.Receipts,
            Pinning = !NoPin && start.Pinning,
            Seed = Seed ?? start.Seed,
            // Gates name arms; what an A/A run must satisfy is the A/A criterion.
            Gates = AgainstItself is null ? [.. start.Gates, .. Gates] : [],
            Quick = null,
        };
        // Arms last: a fault has arms of its own.
        changed = KeyOptions.Where(option => option.Text is not null).Aggregate(changed, With).Ordered();
        changed = (changed with { Arms = ArmsOf(changed) }).Checked();
        Gate.Of(changed);
        return changed;
    }

    // A fault before what it changes beside itself.
    private IEnumerable<(string Option, string Key, string? Text)> KeyOptions =>
    [
        ("--queue-latency", "queueLatency", QueueLatency),
        ("--pubsub-nodes", "pubsubNodes", PubSubNodes?.ToString(CultureInfo.InvariantCulture)),
        ("--fault", "fault", Fault),
        ("--users", "users", Users is null ? null : string.Join(',', Users)),
        ("--arrival", "arrival", Arrival),
    ];

    private static Scenario With(Scenario scenario, (string Option, string Key, string? Text) option) =>
        scenario.Kind.Keys.FirstOrDefault(key => key.Name == option.Key) is { } key
            ? key.Then(key.ReadText(scenario, option.Text!))
            : throw new ScenarioException(
                $"{option.Option} says nothing of the experiment {scenario.Kind.Name}: leave it away, or change a copy of its scenario.");

    private static Scenario Set(Scenario scenario, string setting)
    {
        if (setting.Split('=', 2) is not [var name, var text])
            throw new ScenarioException(
                $"--set '{setting}' has no '=': write a key of the scenario and its value, such as --set deadline=2s.");
        var names = scenario.Kind.Keys.Select(key => key.Name).ToArray();
        if (scenario.Kind.Keys.FirstOrDefault(key => key.Name == name) is not { } key)
            throw new ScenarioException(
                $"--set '{name}' is no key of the experiment {scenario.Kind.Name}"
                    + (Spelling.Nearest(name, names) is { } near ? $", did you mean '{near}'?" : ".")
                    + $" It has: {string.Join(", ", names)}.");
        try
        {
            return key.ReadText(scenario, text);
        }
        catch (ScenarioException refused)
        {
            throw new ScenarioException($"{setting}: {refused.Message}", refused);
        }
    }

    private IReadOnlyList<Arm> ArmsOf(Scenario scenario) =>
        AgainstItself is { } target ? [.. Arm(scenario, target).Instances]
        : Arms is not null ? [.. Arms.Select(name => Arm(scenario, name))]
        : scenario.Arms;

    private static Arm Arm(Scenario scenario, string name) => scenario.Kind.FindArm(name)
        ?? throw new ScenarioException(
            $"The experiment {scenario.Kind.Name} has no arm {name}: {string.Join(", ", scenario.Kind.Arms)}.");
}
