namespace PubSubOverWs.Record.Relay;

/// <summary>The common part of experiments with the two relaying servers.</summary>
public abstract record RelayScenario : Scenario
{
    /// <summary>The setting of the messages that the arm <see cref="Relays.Buffered"/> can keep.</summary>
    public const string BufferKey = "Direct:Buffer";

    /// <summary>Its value where an experiment says no other.</summary>
    public const int DefaultBuffer = 10_000;

    /// <summary>The simulated distance of the embedded queue.</summary>
    public QueueLatency QueueLatency { get; init; }

    /// <summary>Servers of the arm pubsub, 1 to 16, which share the work as nodes; users are spread over them evenly.</summary>
    public virtual int PubSubNodes { get; init; } = 1;

    /// <summary>
    /// Load processes that share the clients evenly, where the experiment has the key: 1 to 64, and no more than users; 1: the run itself.
    /// </summary>
    public int LoadProcesses { get; init; } = 1;

    /// <summary>The pubsub server's Queue:VisibilityTimeout: whole seconds, 3 s to 12 h. Null: the server's default.</summary>
    public TimeSpan? Visibility { get; init; }

    public override ScenarioText Describe(bool isPinned) => ScenarioText.Empty with
    {
        Arms = PubSubNodes > 1 ? $"; pubsub is {PubSubNodes} nodes that share the work" : null,
        Cautions = [.. Cautions(isPinned)],
    };

    public override ServerSetUp SetUp(Arm arm) => arm == Arm.Floor ? ServerSetUp.Default : new()
    {
        Servers = arm.HasQueue ? PubSubNodes : 1,
        Settings = SettingsOf(arm),
        QueueLatency = arm.HasQueue ? QueueLatency : QueueLatency.None,
    };

    internal override Scenario WithQueueOf(Scenario other) => other is RelayScenario relay
        ? this with { QueueLatency = relay.QueueLatency, PubSubNodes = relay.PubSubNodes }
        : this;

    internal override void CheckOwn()
    {
        ScenarioRules.CheckRange(Name, "pubsubNodes", PubSubNodes, 1, 16);
        ScenarioRules.CheckRange(Name, ScenarioKey.Workers, LoadProcesses, 1, MaxWorkers);
        ScenarioException.ThrowUnless(!IsAgainstItself || PubSubNodes == 1,
            $"'pubsubNodes' of scenario '{Name}' must be 1 where one server is measured against itself.");
        if (Visibility is { } visibility)
            ScenarioException.ThrowUnless(visibility >= TimeSpan.FromSeconds(3) && visibility <= TimeSpan.FromHours(12)
                && visibility.Ticks % TimeSpan.TicksPerSecond == 0,
                $"'visibility' of scenario '{Name}' is {Duration.Text(visibility)}: it must be whole seconds from 3s to 43200s.");
    }

    /// <param name="users">The fewest of a level.</param>
    internal void CheckWorkers(int users) => ScenarioException.ThrowUnless(LoadProcesses <= users,
        $"'workers' of scenario '{Name}' is {LoadProcesses}, and there are {users} users: each load process needs one at least.");

    private IEnumerable<string> Cautions(bool isPinned)
    {
        if (QueueLatency.IsSimulated)
            yield return $"Simulated distance: LocalSqs delayed each answer by {Duration.Text(QueueLatency.P50)} (p50) "
                + $"to {Duration.Text(QueueLatency.P99)} (p99, lognormal). No figure here is a measurement of AWS.";
        if (PubSubNodes > 1)
            yield return $"Pubsub is {PubSubNodes} servers here, which share the work through SQS and SNS: users were spread "
                + "over them evenly, and CPU, bytes and calls are sums over all. No figure of pubsub here is that of a single server."
                + (isPinned ? " All of them ran on one core, so the effect of more machines was not measured." : "");
    }

    /// <summary>Settings of the servers of an arm, by the key of their configuration.</summary>
    private Dictionary<string, string> SettingsOf(Arm arm)
    {
        var settings = Relays.SettingsOf(arm).ToDictionary();
        if (arm.Name == Relays.Buffered)
            settings[BufferKey] = DefaultBuffer.ToString(CultureInfo.InvariantCulture);
        if (arm.Name == Relays.Lean.Name || arm.Name == Relays.LeanPubSub.Name)
            settings["Relay:FrontEnd"] = "Lean";
        if (Visibility is { } visibility && arm.HasQueue)
            settings["Queue:VisibilityTimeout"] = $"{visibility:c}";
        return settings;
    }
}

internal static class RelayKeys
{
    public static ScenarioKey QueueLatency { get; } = ScenarioKey.Text<RelayScenario>(
        "queueLatency", scenario => scenario.QueueLatency.ToString(),
        (scenario, value) => scenario with { QueueLatency = Scenarios.QueueLatency.Parse(value) }) with
    {
        Option = new(
            "none|aws|T,T",
            "simulated distance of the embedded queue: aws, or the median and the 99th percentile, such as 20ms,80ms",
            KeyGroup.Queue)
        { Words = ["none", "aws"] },
    };

    public static ScenarioKey PubSubNodes { get; } = ScenarioKey.Number<RelayScenario>(
        "pubsubNodes", scenario => scenario.PubSubNodes, (scenario, value) => scenario with { PubSubNodes = value }) with
    { Option = new("K", "number of pubsub servers that share the work, 1 to 16; users are spread over them evenly", KeyGroup.Arms) };

    // Left out where the run has the clients: records that were made before there were load processes read the same.
    public static ScenarioKey Workers { get; } = ScenarioKey.Number<RelayScenario>(
        ScenarioKey.Workers, scenario => scenario.LoadProcesses, (scenario, value) => scenario with { LoadProcesses = value },
        scenario => scenario.LoadProcesses != 1) with
    {
        Option = new(
            "N", $"load processes that share the clients, 1 to {Scenario.MaxWorkers}; default: 1, the run itself; not of all experiments"),
    };

    public static ScenarioKey Visibility { get; } = ScenarioKey.Create<RelayScenario>(
        "visibility", (scenario, key, value) => scenario with { Visibility = JsonValue.Time(key, value) },
        (writer, scenario) => writer.WriteString("visibility", Duration.Text(scenario.Visibility!.Value)),
        scenario => scenario.Visibility is not null);
}

/// <summary>The least length of a body, which carries checksum, id, user and sequence.</summary>
internal static class PayloadRoom
{
    // 'crc=XXXXXXXX;', 'id=', a run's token, '-', an iteration, ';', 'user=', ';', 'seq=', ';'
    private const int Fixed = 13 + 3 + 16 + 1 + 6 + 1 + 5 + 1 + 4 + 1;

    /// <summary>
    /// The least bytes of a body, when each of <paramref name="users"/> sends <paramref name="messages"/>: both numbers stand in the id
    /// and beside it.
    /// </summary>
    public static int For(int users, int messages) => Fixed + (2 * Digits(users)) + (2 * Digits(messages)) + "--".Length;

    private static int Digits(int count) => (count - 1).ToString(CultureInfo.InvariantCulture).Length;
}
