namespace PubSubOverWs.LoadTest.Experiments.Nodes;

/// <summary>
/// Several pubsub servers share the work, and the arm says what happens to the first of them half-way. Messages go to a topic with many
/// subscribers and to queues before, during and after that.
/// </summary>
public sealed record NodesScenario : RelayScenario
{
    /// <summary>Each message is meant for every subscriber of the topic.</summary>
    public static Flow Topic { get; } = new("topic", "topic publisher", "topic subscriber", LatencyFrom.Due);

    /// <summary>Each message is meant for one queue, which a subscriber at every node shares.</summary>
    public static Flow Queue { get; } = new("queue", "queue publisher", "queue", LatencyFrom.Due);

    /// <summary>
    /// Acknowledged copies of the topic that did not come to a subscriber that was disconnected after they were sent last, and so was told.
    /// </summary>
    public static Measure TopicTold { get; } = new("topicTold", "messages", "topic messages missing, and the subscriber was disconnected");

    public static Measure Disconnected { get; } = new("topicDisconnected", "subscribers", "topic subscribers that were disconnected");

    public static Measure Republished { get; } = new("republished", "messages", "messages published again");

    private static readonly Factor FaultForFactor = new("faultFor", "s");

    public static ScenarioKind Experiment { get; } = new(
        "nodes", NodeArms.All, NodeArms.Contrasts, [FaultForFactor],
        [
            CommonKeys.Name, CommonKeys.Arms, RelayKeys.PubSubNodes,
            ScenarioKey.Numbers<NodesScenario>(
                "faultFor", scenario => scenario.FaultFor, (scenario, value) => scenario with { FaultFor = value }),
            ScenarioKey.Number<NodesScenario>(
                "topicSubscribers", scenario => scenario.TopicSubscribers,
                (scenario, value) => scenario with { TopicSubscribers = value }),
            ScenarioKey.Number<NodesScenario>("queues", scenario => scenario.Queues, (scenario, value) => scenario with { Queues = value }),
            ScenarioKey.Number<NodesScenario>(
                "messages", scenario => scenario.Messages, (scenario, value) => scenario with { Messages = value }),
            CommonKeys.Iterations, CommonKeys.Blocks, CommonKeys.WarmUps, CommonKeys.Deadline, CommonKeys.PayloadBytes, CommonKeys.Pinning,
            RelayKeys.Visibility, CommonKeys.Seed, CommonKeys.Gates, CommonKeys.Margins, CommonKeys.Quick,
        ],
        ["arms", "faultFor", "messages", "iterations", "blocks"],
        () => new NodesScenario { Name = "" });

    /// <summary>How long messages are due before the fault begins.</summary>
    public static TimeSpan Before { get; } = TimeSpan.FromSeconds(3);

    /// <summary>How long messages are due after it has ended: longer than the others wait for a silent node.</summary>
    public static TimeSpan After { get; } = TimeSpan.FromSeconds(7);

    private static readonly TimeSpan DefaultVisibility = TimeSpan.FromSeconds(10);

    // Until messages that were hidden are delivered.
    private static readonly TimeSpan Recovery = TimeSpan.FromSeconds(10);

    public NodesScenario() => (Arms, Floor, Receipts, PubSubNodes) = (Experiment.Arms, false, true, 3);

    /// <summary>
    /// The levels: how many seconds the fault lasts. 1 to 100 each: after 60 s the others take a silent node from the topic, and after
    /// 120 s they delete its queue.
    /// </summary>
    public IReadOnlyList<int> FaultFor { get; init; } = [];

    /// <summary>Spread evenly over the nodes. 1 to 5,000.</summary>
    public int TopicSubscribers { get; init; } = 60;

    /// <summary>Queue destinations; each has a subscriber at every node. 1 to 100.</summary>
    public int Queues { get; init; } = 10;

    /// <summary>Messages to the topic in an iteration, and as many to queues. From the number of nodes to 10,000.</summary>
    public int Messages { get; init; } = 2_000;

    public override ScenarioKind Kind => Experiment;

    public override IReadOnlyList<Measure> Measures => [TopicTold, Disconnected, Republished, FaultAction.ReadyAgain];

    public override IReadOnlyList<Level> Levels => [.. FaultFor.Select(seconds => new Level([new Setting(FaultForFactor, seconds)]))];

    /// <summary>Those of the longest level.</summary>
    public override Arrival Arrivals => new(Levels.Select(SpreadAt).Append(Before + After).Max());

    public override IReadOnlyList<Flow> Flows => [Topic, Queue];

    public override Disturbance? Disturbance => new("of a node")
    {
        WaitsForDeadline = false,
        KillsServers = Arms.Any(arm => arm.Name != NodeArms.Undisturbed),
        NeedsOwnServers = true,
    };

    /// <summary>Of each node: one that publishes to the topic, and one that publishes to queues.</summary>
    public int Publishers => 2 * PubSubNodes;

    public override LevelLoad LoadAt(Level level) =>
        new(TopicSubscribers + (Queues * PubSubNodes) + Publishers, (long)Messages * (TopicSubscribers + 1))
        {
            Sends = 2L * Messages,
            AttemptsByFlow = [(long)Messages * TopicSubscribers, Messages],
            Arrivals = new Arrival(SpreadAt(level)),
        };

    /// <summary>For how long messages are due.</summary>
    public static TimeSpan SpreadAt(Level level) => Before + TimeSpan.FromSeconds(level.Number) + After;

    // All arms have the same settings, so one cluster serves them all; each trial begins when it is healthy.
    public override ServerSetUp SetUp(Arm arm) => new()
    {
        Servers = PubSubNodes,
        SharedAs = arm.Target,
        ProxiesQueue = true,
        Settings = new Dictionary<string, string>(Relays.SettingsOf(arm))
        {
            ["Queue:Nodes:AnnounceEvery"] = "00:00:00.500",
            ["Queue:Nodes:DeadAfter"] = "00:00:03",
            ["Queue:Nodes:DeleteAfter"] = "00:01:00",
            ["Queue:WaitTime"] = "00:00:02",
            ["Queue:VisibilityTimeout"] = $"{Visibility ?? DefaultVisibility:c}",
        },
    };

    public override TrialPlan? Plan(Trial trial) => NodeArms.ActionOf(trial.Arm) is { } kind
        ? new TrialPlan(
            NetworkConditions.Undisturbed, [new FaultAction(Before, kind, TimeSpan.FromSeconds(trial.Level.Number))],
            SpreadAt(trial.Level))
        : null;

    internal override void CheckLevels(string prefix) => ScenarioRules.CheckNumbers(Name, prefix + "faultFor", FaultFor, 1, 100);

    internal override void CheckOwn()
    {
        base.CheckOwn();
        ScenarioRules.CheckRange(Name, "pubsubNodes", PubSubNodes, 2, 16);
        ScenarioRules.CheckRange(Name, "topicSubscribers", TopicSubscribers, 1, 5_000);
        ScenarioRules.CheckRange(Name, "queues", Queues, 1, 100);
        ScenarioRules.CheckRange(Name, "messages", Messages, PubSubNodes, 10_000);
        ScenarioRules.CheckRange(Name, "payloadBytes", PayloadBytes, PayloadRoom.For(Publishers, 2 * Messages), 65_536);
        var least = (Visibility ?? DefaultVisibility) + TimeSpan.FromSeconds(FaultFor.Max()) + Recovery;
        ScenarioException.ThrowUnless(Deadline >= least,
            $"'deadline' of scenario '{Name}' is {Duration.Text(Deadline)}: it must be {Duration.Text(least)} or more, which is "
                + $"visibility, the longest of 'faultFor' and {Duration.Text(Recovery)}.");
    }
}

/// <summary>The disturbance of the first node.</summary>
public static class NodeArms
{
    public const string Undisturbed = "undisturbed";

    private static readonly (string Name, FaultActionKind Kind)[] Disturbed =
    [
        ("killed", FaultActionKind.KillNode), ("paused", FaultActionKind.PauseNode), ("sns-cut", FaultActionKind.TopicsStall),
        ("sqs-cut", FaultActionKind.NodeQueueStalls), ("sqs-requests-cut", FaultActionKind.QueueRequestsStall),
        ("sqs-answers-cut", FaultActionKind.QueueAnswersStall),
    ];

    public static IReadOnlyList<Arm> All { get; } =
        [.. Disturbed.Select(one => one.Name).Prepend(Undisturbed).Select(name => new Arm(name, Relays.PubSub, HasQueue: true))];

    /// <summary>Undisturbed, and each other against it.</summary>
    public static IReadOnlyList<Contrast> Contrasts { get; } = [.. Disturbed.Select(one => new Contrast(Undisturbed, one.Name))];

    /// <summary>The action half-way; null: none.</summary>
    public static FaultActionKind? ActionOf(Arm arm) =>
        Disturbed.Where(one => one.Name == arm.Name).Select(one => (FaultActionKind?)one.Kind).FirstOrDefault();
}
