using PubSubOverWs.Report.Gates;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>Changes of a scenario by the command line; null and false change nothing.</summary>
public sealed record ScenarioChanges
{
    private const string FaultKey = "fault=";

    public bool Quick { get; init; }

    /// <summary>New values of keys, such as <c>deadline=2s</c>, from <c>--set</c> and from the options named after keys.</summary>
    public IReadOnlyList<string> Settings { get; init; } = [];

    public int? Iterations { get; init; }
    public int? Blocks { get; init; }

    /// <summary>The target that an A/A run starts twice; null: no A/A run.</summary>
    public string? AgainstItself { get; init; }

    public bool Receipts { get; init; }
    public bool NoPin { get; init; }
    public int? Seed { get; init; }

    /// <summary>Added to the scenario's own.</summary>
    public IReadOnlyList<string> Gates { get; init; } = [];

    /// <summary>Arms that are added: servers that are no part of the program, by name.</summary>
    public IReadOnlyList<string> Elsewhere { get; init; } = [];

    /// <summary>True: only gates, which do not change what is measured, and addresses, which a run that is resumed needs again.</summary>
    public bool IsEmpty => this with { Gates = [], Elsewhere = [] } == new ScenarioChanges();

    /// <summary>The fault profile that is set; null: none.</summary>
    public string? Fault => Settings.LastOrDefault(setting => setting.StartsWith(FaultKey, StringComparison.Ordinal))?[FaultKey.Length..];

    public bool Sets(string key) => Settings.Any(setting => setting.StartsWith(key + "=", StringComparison.Ordinal));

    /// <summary>The scenario as it will run, its levels from low to high.</summary>
    /// <exception cref="ScenarioException">A value is out of its range.</exception>
    public Scenario ApplyTo(Scenario scenario)
    {
        // Keys that change other keys come first, so that explicit values of those win.
        var start = Settings.Select(setting => Read(setting, scenario.Kind)).OrderBy(setting => setting.Key.Then is null)
            .Aggregate(Quick ? scenario.ToQuick() : scenario, Set);
        var iterations = Iterations ?? start.Iterations;
        var changed = start with
        {
            Iterations = iterations,
            // Every block needs an iteration.
            Blocks = Blocks ?? Math.Min(start.Blocks, iterations),
            Receipts = Receipts || start.Receipts,
            Pinning = !NoPin && start.Pinning,
            Seed = Seed ?? start.Seed,
            Arms = AgainstItself is { } target ? InstancesOf(target, scenario.Kind) : WithElsewhere(start),
            // Gates name arms; an A/A run is judged by the A/A criterion.
            Gates = AgainstItself is null ? [.. start.Gates.Where(gate => !Sets("arms") || IsAboutArmsOf(start, gate)), .. Gates] : [],
            Quick = null,
        };
        changed = changed.Ordered().Checked();
        Gate.From(changed);
        return changed;
    }

    // An arm that is left out takes the scenario's own gates about it with it.
    private static bool IsAboutArmsOf(Scenario scenario, string gate) => Gate.Parse(gate, scenario) is var parsed
        && scenario.FindArm(parsed.Left.Arm) is not null && (parsed.Right is null || scenario.FindArm(parsed.Right.Arm) is not null);

    private IReadOnlyList<Arm> WithElsewhere(Scenario scenario)
    {
        Arm[] added = [.. Elsewhere.Where(name => scenario.FindArm(name) is not { IsElsewhere: true }).Select(ArmOf)];
        return added.Length == 0 ? scenario.Arms : [.. scenario.Arms, .. added];

        Arm ArmOf(string name) => scenario.Kind.FindArm(name) is { IsElsewhere: true } arm
            ? arm
            : throw new ScenarioException(
                $"The experiment {scenario.Kind.Name} cannot have another server as its arm '{name}': "
                    + (scenario.Kind.TakesServersElsewhere
                        ? "choose a name of small letters, digits and hyphens that none of its own arms has."
                        : "its workload is for the servers of this program."));
    }

    private static (ScenarioKey Key, string Text) Read(string setting, ScenarioKind kind)
    {
        if (setting.Split('=', 2) is not [var name, var text])
            throw new ScenarioException(
                $"--set '{setting}' has no '=': write a key of the scenario and its value, such as --set deadline=2s.");
        var names = kind.Keys.Select(key => key.Name).ToArray();
        return kind.Keys.FirstOrDefault(key => key.Name == name) is { } key
            ? (key, text)
            : throw new ScenarioException(
                $"The experiment {kind.Name} has no key '{name}'{WhichHas(name)}, so '{setting}' cannot be set"
                    + (Spelling.Nearest(name, names) is { } near ? $": did you mean '{near}'?" : ".")
                    + $" Its keys are {string.Join(", ", names)}.");
    }

    private static string WhichHas(string key)
    {
        string[] kinds = [.. ScenarioKinds.All.Where(kind => kind.Keys.Any(one => one.Name == key)).Select(kind => kind.Name)];
        var all = string.Join(kinds.Length > 2 ? ", " : " and ", kinds);
        return kinds.Length == 0 ? "" : $", which {all} {(kinds.Length == 1 ? "has" : "have")}";
    }

    private static Scenario Set(Scenario scenario, (ScenarioKey Key, string Text) setting)
    {
        try
        {
            var changed = setting.Key.ReadText(scenario, setting.Text);
            return setting.Key.Then?.Invoke(changed) ?? changed;
        }
        catch (ScenarioException refused)
        {
            throw new ScenarioException($"{setting.Key.Name}={setting.Text}: {refused.Message}", refused);
        }
    }

    private static IReadOnlyList<Arm> InstancesOf(string target, ScenarioKind kind) => kind.FindArm(target)?.Instances
        ?? throw new ScenarioException(
            $"The experiment {kind.Name} has no arm {target}, so --aa {target} cannot run: its arms are {string.Join(", ", kind.Arms)}.");
}
