namespace PubSubOverWs.LoadTest.Experiments.StalledReaders;

/// <summary>
/// Readers send messages to themselves at a constant rate together, with and without other connections beside them: the arm says what
/// those do. The same messages are sent twice, and the first half is not judged: other connections that have just come, and the messages
/// for them, are moved by the first garbage collections after that.
/// </summary>
public sealed record StalledReadersScenario : RelayScenario
{
    /// <summary>The limit of the server's managed heap.</summary>
    public const long HeapBytes = 1L << 30;

    public static Measure Heap { get; } = new("heap", "MiB", "managed heap at the end, with what is not yet collected");

    public static Measure HeapLimit { get; } = new("heapLimit", "MiB", "limit of the managed heap");

    public static Measure Resident { get; } = new("resident", "MiB", "resident memory of the server at the end");

    /// <summary>Of the judged half, as the three that follow.</summary>
    public static Measure Collections0 { get; } = new("collections0", "collections", "garbage collections of generation 0");

    public static Measure Collections1 { get; } = new("collections1", "collections", "garbage collections of generation 1");

    public static Measure Collections2 { get; } = new("collections2", "collections", "garbage collections of generation 2");

    public static Measure Paused { get; } = new("paused", "ms", "time for which garbage collections stopped the server");

    /// <summary>Until nothing of two rounds in a row was taken, or the server had disconnected all of them.</summary>
    public static Measure Rounds { get; } = new("rounds", "messages", "messages of 16 KiB that filled each other connection");

    /// <summary>Beside the messages of the readers, in both halves.</summary>
    public static Measure OthersSent { get; } = new("othersSent", "messages", "messages sent to other connections");

    public static Measure OthersRead { get; } = new("othersRead", "messages", "messages that other connections read");

    public static Measure Disconnected { get; } = new("disconnected", "connections", "other connections that the server disconnected");

    /// <summary>When they read at last, behind what they were still given.</summary>
    public static Measure Told { get; } = new("told", "connections", "other connections that found an ERROR");

    private static readonly Factor OthersFactor = new("others", "other connections");

    public static ScenarioKind Experiment { get; } = new(
        "stalled-readers", OtherArms.All, OtherArms.Contrasts, [OthersFactor],
        [
            CommonKeys.Name, CommonKeys.Arms,
            ScenarioKey.Numbers<StalledReadersScenario>(
                "others", scenario => scenario.Others, (scenario, value) => scenario with { Others = value }),
            ScenarioKey.Number<StalledReadersScenario>(
                "readers", scenario => scenario.Readers, (scenario, value) => scenario with { Readers = value }),
            ScenarioKey.Number<StalledReadersScenario>(
                "rate", scenario => scenario.Rate, (scenario, value) => scenario with { Rate = value }),
            ScenarioKey.Time<StalledReadersScenario>("for", scenario => scenario.For, (scenario, value) => scenario with { For = value }),
            CommonKeys.Iterations, CommonKeys.Blocks, CommonKeys.WarmUps, CommonKeys.Deadline, CommonKeys.PayloadBytes, CommonKeys.Pinning,
            CommonKeys.Seed, CommonKeys.Gates, CommonKeys.Margins, CommonKeys.Quick,
        ],
        ["arms", "others", "readers", "rate", "for", "iterations", "blocks", "warmUps"],
        () => new StalledReadersScenario { Name = "" });

    public StalledReadersScenario() => (Arms, Floor) = (Experiment.Arms, false);

    /// <summary>
    /// The levels: connections beside the readers, each of which subscribes to a topic of its own. 1 to 2,000 each: what is sent to fill
    /// more does not fit the queue.
    /// </summary>
    public IReadOnlyList<int> Others { get; init; } = [];

    /// <summary>1 to 100,000.</summary>
    public int Readers { get; init; } = 9_000;

    /// <summary>Messages a second of all readers together. 1 to 10,000.</summary>
    public int Rate { get; init; } = 2_000;

    /// <summary>For how long messages of one half are due. 100 ms to 10 min.</summary>
    public TimeSpan For { get; init; } = TimeSpan.FromSeconds(2);

    public override ScenarioKind Kind => Experiment;

    public override IReadOnlyList<Measure> Measures =>
    [
        Heap, HeapLimit, Resident, Collections0, Collections1, Collections2, Paused, Rounds, OthersSent, OthersRead, Disconnected, Told,
    ];

    public override IReadOnlyList<Level> Levels => [.. Others.Select(others => new Level([new Setting(OthersFactor, others)]))];

    public override Arrival Arrivals => new(2 * For);

    public override IReadOnlyList<Flow> Flows =>
        [Flow.Message(Arrivals) with { Name = "settling", Judged = false }, Flow.Message(Arrivals)];

    public override Disturbance? Disturbance => new(Experiment.Name) { WaitsForDeadline = false, NeedsOwnServers = true };

    /// <summary>Messages of one half.</summary>
    public int Half => Math.Max(1, (int)(Rate * For.TotalSeconds));

    public override LevelLoad LoadAt(Level level) => new(Readers + level.Number, 2L * Half) { AttemptsByFlow = [Half, Half] };

    public override int UsersOf(string arm, Level level) => OtherArms.DoingOf(arm) == Doing.Away ? Readers : UsersAt(level);

    // Arms of a server share it, where it is set up alike: they are compared with each other, and not processes.
    public override ServerSetUp SetUp(Arm arm)
    {
        var disconnects = OtherArms.DoingOf(arm.Name) == Doing.Disconnected;
        return new()
        {
            SharedAs = disconnects ? null : arm.Target,
            Environment = new Dictionary<string, string> { ["DOTNET_GCHeapHardLimit"] = $"0x{HeapBytes:x}" },
            Settings = Relays.SettingsOf(arm).Concat(disconnects
                // Time enough to read at last for the first that was disconnected, when the last one is.
                ? new Dictionary<string, string> { ["Relay:SlowConsumer"] = "Disconnect", ["Relay:CloseTimeout"] = "00:00:30" }
                : new Dictionary<string, string> { ["Relay:SlowConsumerTimeout"] = "00:00:00" }).ToDictionary(),
        };
    }

    internal override void CheckLevels(string prefix)
    {
        ScenarioRules.CheckNumbers(Name, prefix + "others", Others, 1, 2_000);
        ScenarioRules.CheckRange(Name, prefix + "readers", Readers, 1, 100_000);
        ScenarioRules.CheckRange(Name, prefix + "rate", Rate, 1, 10_000);
        ScenarioRules.CheckTime(Name, prefix + "for", For, TimeSpan.FromMilliseconds(100));
        var least = Levels.Min(level => level.Number);
        ScenarioException.ThrowUnless(2L * Half * least >= Readers,
            $"'{prefix}for' of scenario '{Name}' makes {2 * Half} messages of {Readers} readers in one iteration: not one would be sent to "
                + $"{least} other connections, so choose a longer time or a higher rate.");
    }

    internal override void CheckOwn()
    {
        base.CheckOwn();
        ScenarioRules.CheckRange(
            Name, "payloadBytes", PayloadBytes, PayloadRoom.For(Readers, ((2 * Half) + Readers - 1) / Readers), 65_536);
    }
}
