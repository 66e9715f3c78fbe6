using System.Reflection;
using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Faults;

/// <summary>
/// A fault of a run as data: a profile with its parameters and its prediction. The load runner carries it out from outside the servers.
/// docs/reference/faults.md has a row for each.
/// </summary>
public abstract record Fault
{
    /// <summary>The profile's name, in scenarios, options and reports.</summary>
    public abstract string Profile { get; }

    /// <summary>Shorter outages have little effect on a client.</summary>
    protected static TimeSpan ShortestAbsence { get; } = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// Its values, in the order of docs/reference/faults.md; the text is exact, so that a scenario is read back unchanged.
    /// </summary>
    public IReadOnlyList<FaultParameter> Parameters =>
        [.. Declared.Select(property => FaultParameter.From(NameOf(property), property.GetValue(this)!))];

    // What a profile declares with an init accessor, in the order of the source.
    private IEnumerable<PropertyInfo> Declared => GetType()
        .GetProperties(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly).Where(property => property.CanWrite)
        .OrderBy(property => property.MetadataToken);

    /// <summary>How it loses messages, or why it does not.</summary>
    public abstract string Mechanism { get; }

    /// <summary>The outcome expected before the run, and why.</summary>
    public abstract string Prediction { get; }

    /// <summary>The prediction as lines that are judged: all must hold.</summary>
    [JsonIgnore] // run.json has their texts.
    public abstract IReadOnlyList<Expectation> Expectations { get; }

    /// <summary>The same for a pubsub server with at most <paramref name="maxInFlight"/> SQS messages received and not deleted.</summary>
    internal virtual IReadOnlyList<Expectation> ExpectationsWithin(int maxInFlight) => Expectations;

    /// <summary>Settings for the whole run or iteration.</summary>
    [JsonIgnore] // compare.json shows what a scenario has, and not what follows from it.
    public virtual FaultSetUp SetUp => FaultSetUp.None;

    /// <summary>The longest outage of a client, the server or the queue by one action; zero: none.</summary>
    public virtual TimeSpan Outage => TimeSpan.Zero;

    /// <summary>True: it needs the workload <c>pairs</c>, with receipts and enough messages for a rate.</summary>
    public virtual bool NeedsPairs => true;

    /// <summary>True: without receipts its losses cannot be told from others.</summary>
    public virtual bool NeedsReceipts => NeedsPairs;

    /// <summary>True: the server under test must have a core of its own.</summary>
    public virtual bool NeedsPinning => false;

    /// <summary>The least number of actions in each arm over the run for a judgement.</summary>
    public virtual int LeastFaultActions => 0;

    /// <summary>Why such parameters are not judged, as a clause; null: they are.</summary>
    internal virtual string? NotJudgedBecause => null;

    /// <summary>Null: delivery takes no time.</summary>
    public virtual OverloadFault? Overload => null;

    /// <summary>Null: servers are not stopped.</summary>
    public virtual RestartFault? Restart => null;

    /// <summary>True: needs servers that the run starts, as processes or by their settings.</summary>
    public virtual bool NeedsOwnServers => true;

    /// <summary>True: failed connects are part of the experiment and do not make the run invalid.</summary>
    public virtual bool IsAboutConnects => false;

    /// <summary>True: servers are killed, which loses their counts.</summary>
    public bool KillsServers => Restart is not null;

    /// <summary>True: the queue is killed.</summary>
    public virtual bool KillsQueue => false;

    public virtual IReadOnlyList<string> DefaultArms => [Relays.Direct, Relays.PubSub];

    /// <summary>Warm-up iterations per arm, level and block that a run with <c>--fault</c> has at least.</summary>
    public virtual int LeastWarmUps => 0;

    /// <summary>
    /// The least spread of messages when a scenario is run with this fault, unless they come in a burst. Zero: as in the scenario.
    /// </summary>
    public virtual TimeSpan LeastSpread => TimeSpan.Zero;

    /// <summary>The profile and its parameters, such as <c>churn (every 1s, away 200ms)</c>.</summary>
    public sealed override string ToString() => Parameters.Count == 0
        ? Profile
        : $"{Profile} ({string.Join(", ", Parameters.Select(parameter => $"{parameter.Key} {parameter.Text}"))})";

    /// <summary>Actions in an iteration, in order: one ends before the next begins.</summary>
    /// <param name="spread">Over which messages are due.</param>
    /// <param name="numbers">From which moments are drawn.</param>
    internal virtual IReadOnlyList<FaultAction> Actions(TimeSpan spread, SplitMix64 numbers) => [];

    /// <summary>This fault with a parameter set; null: it has no such parameter.</summary>
    /// <exception cref="ScenarioException">The value is invalid.</exception>
    internal Fault? With(string key, JsonElement value)
    {
        if (Declared.FirstOrDefault(property => NameOf(property) == key) is not { } found)
            return null;
        var changed = this with { };
        found.SetValue(changed, Read(found.PropertyType, key, value));
        return changed;
    }

    /// <summary>One sentence on the first invalid value in such a scenario and what is allowed; null: all are valid.</summary>
    internal virtual string? WhatIsWrong(Scenario scenario) => null;

    /// <summary>The same for an outage of the queue.</summary>
    /// <param name="scenario">With when messages are due.</param>
    /// <param name="at">From the first due.</param>
    /// <param name="length">Of the absence.</param>
    /// <param name="key">The parameter that the length is.</param>
    protected string? WhatIsWrongWith(Scenario scenario, TimeSpan at, TimeSpan length, string key) =>
        length < ShortestAbsence ? $"'{key}' of the fault {Profile} must be {Duration.Text(ShortestAbsence)} or more."
        : at + length > scenario.Arrivals.Spread
            ? $"The fault {Profile} must end while messages are still due: 'at' + '{key}' is {Duration.Text(at + length)}, and "
                + $"'arrival' is {scenario.Arrivals}."
        : null;

    private static string NameOf(PropertyInfo property) => JsonNamingPolicy.CamelCase.ConvertName(property.Name);

    private static object Read(Type type, string key, JsonElement value) =>
        type == typeof(TimeSpan) ? JsonValue.Time(key, value)
        : type == typeof(int) ? (object)JsonValue.Number(key, value)
        : type == typeof(long) ? (object)JsonValue.Long(key, value)
        : type == typeof(double) ? (object)JsonValue.Share(key, value)
        : type == typeof(QueueAbsence) ? JsonValue.Named<QueueAbsence>(key, value)
        : throw new NotSupportedException($"A parameter of a fault cannot be of {type}: read and write it here first.");
}

/// <summary>A parameter of a profile as a scenario has it.</summary>
/// <param name="IsNumber">True: a JSON number; false: a string.</param>
public readonly record struct FaultParameter(string Key, string Text, bool IsNumber = false)
{
    internal static FaultParameter From(string key, object value) => value switch
    {
        TimeSpan time => new(key, Duration.Text(time)),
        QueueAbsence how => new(key, Kebab.Text(how)),
        double share => new(key, share.ToString("R", CultureInfo.InvariantCulture), IsNumber: true),
        int or long => new(key, $"{value}", IsNumber: true),
        _ => throw new NotSupportedException($"A parameter of a fault cannot be of {value.GetType()}: read and write it here first."),
    };
}

/// <summary>The settings of a fault for a run or an iteration, as data: the load runner does not know the fault.</summary>
public sealed record FaultSetUp
{
    public static FaultSetUp None { get; } = new();

    /// <summary>Settings of every server under test, by the key of its configuration.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = new Dictionary<string, string>();

    /// <summary>Variables in the environment of every server under test.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>();

    /// <summary>The conditions of <see cref="ProxiedConnections"/>.</summary>
    public NetworkConditions Network { get; init; } = NetworkConditions.Undisturbed;

    /// <summary>
    /// How many connections of each user go through a proxy before the server: 0; 1, the subscriber's; 2, the publisher's as well.
    /// </summary>
    public int ProxiedConnections { get; init; }

    /// <summary>True: servers reach their queue, which the run starts, through a proxy.</summary>
    public bool ProxiesQueue { get; init; }

    /// <summary>True: all users connect at once; false: a few at a time.</summary>
    public bool ConnectsAllAtOnce { get; init; }

    /// <summary>How long a subscriber stays away after it lost its connection; zero: it backs off as a publisher does.</summary>
    public TimeSpan SubscribersAway { get; init; }

    /// <summary>How many of the subscribers read slowly: 0 to 1, rounded to whole ones.</summary>
    public double SlowSubscribers { get; init; }

    /// <summary>The most that each of them reads, in bytes a second.</summary>
    public int SlowBytesPerSecond { get; init; } = int.MaxValue;
}

/// <summary>The times of actions in an iteration: the same for all arms and on every machine.</summary>
public static class FaultTimeline
{
    /// <param name="fault">Of the scenario. Permanent conditions and settings have no moments.</param>
    /// <param name="iteration">Unique over the run; its arms share it.</param>
    /// <param name="spread">Over which the messages are due.</param>
    /// <returns>In order; one ends before the next begins.</returns>
    public static IReadOnlyList<FaultAction> For(Fault fault, long seed, int iteration, TimeSpan spread) =>
        fault.Actions(spread, new SplitMix64(StateOf(seed, iteration)));

    // Seeds that are near each other give states that are far apart.
    private static ulong StateOf(long seed, int iteration) => new SplitMix64((ulong)seed).Next() + (ulong)iteration;
}

/// <summary>All profiles, each with its defaults.</summary>
public static class FaultProfiles
{
    public static Fault None { get; } = new NoFault();

    /// <summary>In the order in which docs/reference/faults.md explains them.</summary>
    public static IReadOnlyList<Fault> All { get; } =
    [
        None, new ChurnFault(), new RestartFault(KillSignal.Kill), new RestartFault(KillSignal.Term), new OverloadFault(),
        new OverloadRestartFault(), new SmallHostFault(),
        new ConnectStormFault(), new BadNetworkFault(), new QueueDownFault(), new QueueKilledFault(), new SlowConsumerFault(),
    ];

    public static IEnumerable<string> Names => All.Select(fault => fault.Profile);

    /// <summary>The profile of this name with its defaults.</summary>
    /// <exception cref="ScenarioException">There is none.</exception>
    public static Fault Find(string name) => All.FirstOrDefault(fault => fault.Profile == name)
        ?? throw new ScenarioException($"The fault '{name}' is not known{Spelling.Among(name, [.. Names])}.");
}

/// <summary>The key <c>fault</c> of a scenario: a profile's name, or an object with the name and non-default parameters.</summary>
internal static class FaultJson
{
    private const string Profile = "profile";

    /// <exception cref="ScenarioException">A profile, a parameter or a value is not known.</exception>
    public static Fault Read(JsonElement root)
    {
        if (root.ValueKind == JsonValueKind.String)
            return FaultProfiles.Find(root.GetString()!);
        if (root.ValueKind != JsonValueKind.Object || !root.TryGetProperty(Profile, out var name))
            throw new ScenarioException(
                $"'fault' must be the name of a profile, or an object with '{Profile}' and its parameters. Profiles: "
                    + $"{string.Join(", ", FaultProfiles.Names)}.");
        var fault = FaultProfiles.Find(JsonValue.Text("fault.profile", name));
        foreach (var parameter in root.EnumerateObject().Where(property => property.Name != Profile))
            fault = fault.With(parameter.Name, parameter.Value) ?? throw Unknown(fault, parameter.Name);
        return fault;
    }

    public static void Write(Utf8JsonWriter writer, Fault fault)
    {
        writer.WriteStartObject("fault");
        writer.WriteString(Profile, fault.Profile);
        foreach (var parameter in fault.Parameters)
        {
            writer.WritePropertyName(parameter.Key);
            if (parameter.IsNumber)
                writer.WriteRawValue(parameter.Text);
            else
                writer.WriteStringValue(parameter.Text);
        }

        writer.WriteEndObject();
    }

    private static ScenarioException Unknown(Fault fault, string key) => new(fault.Parameters.Count == 0
        ? $"The key '{key}' is not known in 'fault': {fault.Profile} has no parameters."
        : $"The key '{key}' is not known in 'fault'{Spelling.Meant(key, fault.Parameters.Select(parameter => parameter.Key))}: "
            + $"{fault.Profile} has "
            + $"{string.Join(", ", fault.Parameters.Select(parameter => parameter.Key))}.");
}

/// <summary><c>none</c>: the baseline of all other profiles.</summary>
public sealed record NoFault : Fault
{
    public const string Name = "none";

    public override string Profile => Name;

    public override string Mechanism => "Nothing is broken: every message finds its subscriber.";

    public override string Prediction =>
        "No loss in either arm, and so nothing that a queue could save: what can be said is a bound, not that the arms do not differ.";

    public override IReadOnlyList<Expectation> Expectations => [ExpectedLoss.None(Relays.Direct), ExpectedLoss.None(Relays.PubSub)];

    public override bool NeedsPairs => false;

    public override bool NeedsOwnServers => false;
}
