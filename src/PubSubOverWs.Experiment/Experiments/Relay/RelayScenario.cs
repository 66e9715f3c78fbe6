using PubSubOverWs.Experiment.Experiments.Faults;

namespace PubSubOverWs.Experiment.Experiments.Relay;

/// <summary>The common part of experiments with the two relaying servers.</summary>
public abstract record RelayScenario : Scenario
{
    /// <summary>The simulated distance of the embedded queue.</summary>
    public QueueLatency QueueLatency { get; init; }

    /// <summary>Servers of the arm pubsub, 1 to 16, which share the work as nodes; users are spread over them evenly.</summary>
    public virtual int PubSubNodes { get; init; } = 1;

    /// <summary>The pubsub server's Sqs:VisibilityTimeout: whole seconds, 3 s to 12 h. Null: the server's default.</summary>
    public TimeSpan? Visibility { get; init; }

    /// <summary>
    /// The pubsub server's Sqs:MaxInFlight, messages received and not deleted: 10 to 110,000. Null: the server's default.
    /// </summary>
    public int? MaxInFlight { get; init; }

    public Fault Fault { get; init; } = FaultProfiles.None;

    public override Disturbance? Disturbance => Fault is NoFault ? null : OfFault;

    protected Disturbance OfFault => new(Fault.Profile)
    {
        KillsServers = Fault.KillsServers,
        KillsQueue = Fault.KillsQueue,
        IsAboutConnects = Fault.IsAboutConnects,
        NeedsOwnServers = Fault.NeedsOwnServers,
    };

    public override IReadOnlyList<string> DefaultArms => Fault.DefaultArms;

    public override string ArmsText =>
        base.ArmsText + (PubSubNodes > 1 ? $"; pubsub is {Format.Whole(PubSubNodes)} nodes that share the work" : "");

    public override IEnumerable<string> Cautions(bool isPinned)
    {
        if (QueueLatency.IsSimulated)
            yield return $"Simulated distance: LocalSqs delayed each answer by {Duration.Text(QueueLatency.P50)} (p50) "
                + $"to {Duration.Text(QueueLatency.P99)} (p99, lognormal). No figure here is a measurement of AWS.";
        if (PubSubNodes > 1)
            yield return $"Pubsub is {Format.Whole(PubSubNodes)} servers here, which share the work through SQS and SNS: users were spread "
                + "over them evenly, and CPU, bytes and calls are sums over all. No figure of pubsub here is that of a single server."
                + (isPinned ? " All of them ran on one core, so the effect of more machines was not measured." : "");
    }

    public override ServerSetUp SetUp(Arm arm) => arm == Arm.Floor ? ServerSetUp.Default : new()
    {
        Servers = arm.HasQueue ? PubSubNodes : 1,
        Settings = OwnSettings(arm).Concat(Fault.SetUp.Settings).ToDictionary(),
        Environment = Fault.SetUp.Environment,
        ProxiedConnections = Fault.SetUp.ProxiedConnections,
        QueueLatency = arm.HasQueue ? QueueLatency : QueueLatency.None,
        ProxiesQueue = arm.HasQueue && Fault.SetUp.ProxiesQueue,
    };

    // The same moments for all arms of an iteration; actions on the queue apply only to arms that have one.
    public override TrialPlan? Plan(Trial trial) => trial.Arm == Arm.Floor || Fault is NoFault
        ? null
        : new TrialPlan(
            Fault.SetUp.Network,
            [.. FaultTimeline.For(Fault, Seed, trial.Iteration, Arrivals.Spread)
                .Where(action => trial.Arm.HasQueue || !action.IsOfQueue)],
            Arrivals.Spread);

    /// <summary>With the least values that its fault needs, and its default arms.</summary>
    internal virtual Scenario WithNeedsOfFault() =>
        this with
        {
            WarmUps = Math.Max(WarmUps, Fault.LeastWarmUps),
            Arms = [.. DefaultArms.Select(name => Kind.FindArm(name)!)],
        };

    internal override Scenario WithQueueOf(Scenario other) => other is RelayScenario relay
        ? this with { QueueLatency = relay.QueueLatency, PubSubNodes = relay.PubSubNodes }
        : this;

    internal override void CheckOwn()
    {
        ScenarioRules.CheckRange(Name, "pubsubNodes", PubSubNodes, 1, 16);
        ScenarioException.ThrowUnless(!IsAgainstItself || PubSubNodes == 1,
            $"'pubsubNodes' of scenario '{Name}' must be 1 where one server is measured against itself.");
        if (Visibility is { } visibility)
            ScenarioException.ThrowUnless(visibility >= TimeSpan.FromSeconds(3) && visibility <= TimeSpan.FromHours(12)
                && visibility.Ticks % TimeSpan.TicksPerSecond == 0,
                $"'visibility' of scenario '{Name}' is {Duration.Text(visibility)}: it must be whole seconds from 3s to 43200s.");
        if (MaxInFlight is { } most)
            ScenarioRules.CheckRange(Name, "maxInFlight", most, 10, 110_000);
    }

    // Of the arm, whatever is broken.
    private Dictionary<string, string> OwnSettings(Arm arm)
    {
        var settings = Relay.Arms.SettingsOf(arm).ToDictionary();
        if (arm.Name == Relay.Arms.Buffered)
            settings["Direct:Buffer"] = (Fault.Overload ?? new OverloadFault()).Buffer.ToString(CultureInfo.InvariantCulture);
        if (arm.Name == Relay.Arms.Lean.Name || arm.Name == Relay.Arms.LeanPubSub.Name)
            settings["Relay:FrontEnd"] = "Lean";
        if (Visibility is { } visibility && arm.HasQueue)
            settings["Sqs:VisibilityTimeout"] = $"{visibility:c}";
        if (MaxInFlight is { } most && arm.HasQueue)
            settings["Sqs:MaxInFlight"] = most.ToString(CultureInfo.InvariantCulture);
        return settings;
    }
}

/// <summary>Their keys.</summary>
internal static class RelayKeys
{
    public static ScenarioKey QueueLatency { get; } = ScenarioKey.Text<RelayScenario>(
        "queueLatency", scenario => scenario.QueueLatency.ToString(),
        (scenario, value) => scenario with { QueueLatency = Design.QueueLatency.Parse(value) }) with
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

    public static ScenarioKey Visibility { get; } = ScenarioKey.Of<RelayScenario>(
        "visibility", (scenario, key, value) => scenario with { Visibility = JsonValue.Time(key, value) },
        (writer, scenario) => writer.WriteString("visibility", Duration.Text(scenario.Visibility!.Value)),
        scenario => scenario.Visibility is not null);

    public static ScenarioKey MaxInFlight { get; } = ScenarioKey.Number<RelayScenario>(
        "maxInFlight", scenario => scenario.MaxInFlight!.Value, (scenario, value) => scenario with { MaxInFlight = value },
        scenario => scenario.MaxInFlight is not null);

    public static ScenarioKey Fault { get; } = ScenarioKey.Of<RelayScenario>(
        "fault", (scenario, _, value) => scenario with { Fault = FaultJson.Read(value) },
        (writer, scenario) => FaultJson.Write(writer, scenario.Fault), scenario => scenario.Fault is not NoFault) with
    {
        Then = scenario => ((RelayScenario)scenario).WithNeedsOfFault(),
        Option = new(
            "NAME",
            $"fault profile with its defaults: {string.Join(", ", FaultProfiles.Names)}; docs/reference/faults.md has the predictions",
            KeyGroup.Faults)
        { Words = FaultProfiles.Names },
    };
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
