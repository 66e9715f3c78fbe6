namespace PubSubOverWs.Record.Scenarios;

/// <summary>An experiment, as far as its scenarios go.</summary>
/// <param name="Name">In the key <c>experiment</c>.</param>
/// <param name="Contrasts">At least one; the first is the main one.</param>
/// <param name="Factors">What is varied besides the arm; at least one.</param>
/// <param name="Keys">In the order in which they are written.</param>
/// <param name="QuickKeys">Those that a quick form may set.</param>
/// <param name="Empty">A scenario with every default and without levels.</param>
public sealed record ScenarioKind(
    string Name, IReadOnlyList<Arm> Arms, IReadOnlyList<Contrast> Contrasts, IReadOnlyList<Factor> Factors,
    IReadOnlyList<ScenarioKey> Keys, IReadOnlyList<string> QuickKeys, Func<Scenario> Empty)
{
    /// <summary>What to do where a machine cannot have so many users, in most experiments.</summary>
    public const string FewerUsers = "ask for fewer users with --users";

    /// <summary>False: attempts are too many to be kept one by one; the record has their counts and distributions only.</summary>
    public bool KeepsSamples { get; init; } = true;

    /// <summary>
    /// True: any other name is an arm, too, of a server at an address. Contrasts compare it with the first arm of the main contrast.
    /// </summary>
    public bool TakesServersElsewhere { get; init; }

    /// <summary>The same in this experiment.</summary>
    public string AsksForFewer { get; init; } = FewerUsers;

    /// <summary>True: several load processes can share the clients of its scenarios.</summary>
    public bool SharesClients => Keys.Any(key => key.Name == ScenarioKey.Workers);

    /// <summary>The arm of this name, or an instance of a target; null: there is none.</summary>
    public Arm? FindArm(string name) =>
        Arms.Concat(Arms.Where(arm => arm.Name == arm.Target).SelectMany(arm => arm.Instances)).FirstOrDefault(arm => arm.Name == name)
            ?? (TakesServersElsewhere && IsName(name) ? new Arm(name, Arm.Elsewhere) : null);

    // As in file names, gates and options.
    private static bool IsName(string name) => name.Length is > 0 and <= 30 && char.IsAsciiLetterLower(name[0])
        && name.All(letter => char.IsAsciiLetterLower(letter) || char.IsAsciiDigit(letter) || letter == '-') && name != Arm.Floor.Name;
}

/// <summary>A number that a trial records in addition to its row: a line of measures.csv.</summary>
/// <param name="Name">As in the file.</param>
/// <param name="Text">Half a sentence.</param>
public sealed record Measure(string Name, string Unit, string Text)
{
    /// <summary>True: a difference, say, of which the ratio of two means may be negative. Not in run.json: it is not of the data.</summary>
    [JsonIgnore]
    public bool MayBeNegative { get; init; }
}

/// <summary>The smaller form of a scenario that <c>--quick</c> runs: other values of some keys.</summary>
/// <param name="Values">Keys, and values as JSON.</param>
public sealed record QuickForm(IReadOnlyList<KeyValuePair<string, string>> Values)
{
    private const string Prefix = "quick.";

    private const int Iterations = 5;

    internal Scenario ApplyTo(Scenario scenario) => Values.Aggregate(
        scenario with { Iterations = Iterations, Blocks = 1, Quick = null },
        (quick, value) => scenario.Kind.Keys.Single(key => key.Name == value.Key)
            .ReadNamed(quick, Prefix + value.Key, JsonElement.Parse(value.Value)));

    /// <summary>Such as <c>("users", "[50]"), ("iterations", "2")</c>.</summary>
    public static QuickForm From(params (string Key, string Json)[] values) =>
        new([.. values.Select(value => KeyValuePair.Create(value.Key, value.Json))]);
}

/// <summary>All experiments that a scenario can be of.</summary>
public static class ScenarioKinds
{
    /// <summary>As the program that uses this library has set them when it started.</summary>
    public static IReadOnlyList<ScenarioKind> All
    {
        get => field.Count > 0 ? field : throw new InvalidOperationException("No experiments were set: call Catalogue.Set first.");
        private set;
    } = [];

    /// <summary>That of a scenario that names none.</summary>
    public static ScenarioKind First => All[0];

    /// <summary>Sets the experiments, once and before any scenario is read.</summary>
    /// <param name="kinds">At least one, with unique names.</param>
    public static void Set(IReadOnlyList<ScenarioKind> kinds) => All = kinds;

    /// <exception cref="ScenarioException">There is none.</exception>
    public static ScenarioKind Find(string name) => All.FirstOrDefault(kind => kind.Name == name)
        ?? throw new ScenarioException(
            $"The experiment '{name}' is not known{Spelling.Among(name, [.. All.Select(kind => kind.Name)])}.");
}
