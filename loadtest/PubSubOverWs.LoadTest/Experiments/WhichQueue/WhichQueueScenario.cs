namespace PubSubOverWs.LoadTest.Experiments.WhichQueue;

/// <summary>
/// The same messages through the same server on different queues: how fast, at what cost, and what is lost when the server or the queue is
/// killed, or the power of the queue is cut.
/// </summary>
public sealed record WhichQueueScenario : RelayScenario, ILevelPlan
{
    public static Flow Message { get; } = new("message", "publisher", "subscriber", LatencyFrom.Due);

    /// <summary>Of trials without a relay: a message that went in and out of a queue.</summary>
    public static Flow Passage { get; } = new("passage", "client", "client", LatencyFrom.Due) { IsOfMessages = false };

    /// <summary>Messages that had arrived 250 ms after the last was due, over the time for which they were due.</summary>
    public static Measure Achieved { get; } = new("achieved", "messages/s", "messages that arrived per second");

    public static Measure RelayCpu { get; } = new("relayCpu", "us", "CPU of the relay per message");

    public static Measure QueueCpu { get; } = new("queueCpu", "us", "CPU of the queue per message");

    /// <summary>Of trials without a relay: publish, receive and settle.</summary>
    public static Measure ClientCpu { get; } = new("clientCpu", "us", "CPU of a client of the queue alone per message");

    /// <summary>
    /// As the system counts it for the processes of the queue: when a page becomes dirty, or is written past the cache. From the first
    /// message until the trial has cleaned up.
    /// </summary>
    public static Measure Written { get; } = new("written", "bytes", "bytes written by the queue per message");

    public static Measure Republished { get; } = new("republished", "messages", "messages published again");

    private const int MaxMessages = 1_000_000;

    private static readonly TimeSpan DefaultVisibility = TimeSpan.FromSeconds(3);

    private static readonly Factor TrialFactor = new("trial", "") { Names = [.. QueueTrial.All.Select(trial => trial.Name)] };

    // 0: as many as there can be.
    private static readonly Factor RateFactor = new("rate", "messages/s") { IsRate = true };

    public static ScenarioKind Experiment { get; } = new(
        "which-queue", QueueArms.All, QueueArms.Contrasts, [TrialFactor, RateFactor],
        [
            CommonKeys.Name, CommonKeys.Arms,
            ScenarioKey.Create<WhichQueueScenario>(
                "trials",
                (scenario, key, value) => scenario with { Trials = [.. JsonValue.Texts(key, value).Select(Find)] },
                (writer, scenario) => ScenarioKey.WriteList(writer, "trials", [.. scenario.Trials.Select(trial => trial.Name)]))
                .NamingLevels<WhichQueueScenario>(
                    scenario => scenario with { Trials = [.. QueueTrial.All.Where(scenario.Trials.Contains)] }),
            ScenarioKey.Numbers<WhichQueueScenario>(
                "rates", scenario => scenario.Rates, (scenario, value) => scenario with { Rates = value }),
            Number("faultRate", scenario => scenario.FaultRate, (scenario, value) => scenario with { FaultRate = value }),
            Number("users", scenario => scenario.Users, (scenario, value) => scenario with { Users = value }),
            ScenarioKey.Time<WhichQueueScenario>("for", scenario => scenario.For, (scenario, value) => scenario with { For = value }),
            Number("aloneMessages", scenario => scenario.AloneMessages, (scenario, value) => scenario with { AloneMessages = value }),
            Number("kills", scenario => scenario.Kills, (scenario, value) => scenario with { Kills = value }),
            Number("cuts", scenario => scenario.Cuts, (scenario, value) => scenario with { Cuts = value }),
            CommonKeys.Iterations, CommonKeys.Blocks, CommonKeys.WarmUps, CommonKeys.Deadline, CommonKeys.PayloadBytes,
            RelayKeys.Visibility,
            Place("redis", "URL", "a Redis that already runs, redis://HOST:PORT, for the arm redis",
                scenario => scenario.RedisAt, (scenario, value) => scenario with { RedisAt = value }),
            Place("nats", "URL", "a NATS server that already runs, nats://HOST:PORT, for the arm nats",
                scenario => scenario.NatsAt, (scenario, value) => scenario with { NatsAt = value }),
            Place("rabbitmq", "URL", "a RabbitMQ that already runs, amqp://HOST:PORT, for the arm rabbitmq",
                scenario => scenario.RabbitMqAt, (scenario, value) => scenario with { RabbitMqAt = value }),
            Place("natsServer", "PATH", "the nats-server of the arms nats+current and nats+current+always",
                scenario => scenario.NatsServer, (scenario, value) => scenario with { NatsServer = value }),
            CommonKeys.Seed, CommonKeys.Gates, CommonKeys.Margins, CommonKeys.Quick,
        ],
        ["arms", "trials", "rates", "for", "aloneMessages", "kills", "cuts", "iterations", "blocks"],
        () => new WhichQueueScenario { Name = "" })
    {
        KeepsSamples = false,
    };

    public WhichQueueScenario() =>
        (Floor, Receipts, Pinning, Iterations, Blocks, WarmUps, Deadline, Visibility) =
            (false, true, false, 3, 2, 1, TimeSpan.FromSeconds(60), DefaultVisibility);

    /// <summary>What is asked.</summary>
    public IReadOnlyList<QueueTrial> Trials { get; init; } = [];

    /// <summary>Messages a second of trials that relay. 1 to 100,000 each.</summary>
    public IReadOnlyList<int> Rates { get; init; } = [];

    /// <summary>Messages a second while something is killed. 10 to 10,000.</summary>
    public int FaultRate { get; init; } = 500;

    /// <summary>Publishers, and as many subscribers, each pair with a queue destination of its own. 1 to 1,000.</summary>
    public int Users { get; init; } = 20;

    /// <summary>For how long messages are due. 1 s to 10 min.</summary>
    public TimeSpan For { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>In and out of a queue in a trial without a relay: a multiple of ten from 100 to 1,000,000.</summary>
    public int AloneMessages { get; init; } = 10_000;

    /// <summary>Trials of each arm in which the relay is killed, and as many in which the queue is. 1 to 1,000.</summary>
    public int Kills { get; init; } = 20;

    /// <summary>Trials of each arm in which the power of the queue is cut. 1 to 1,000.</summary>
    public int Cuts { get; init; } = 10;

    /// <summary>Where a Redis is; empty: the run starts it. So are the next two.</summary>
    public string RedisAt { get; init; } = "";

    public string NatsAt { get; init; } = "";

    public string RabbitMqAt { get; init; } = "";

    /// <summary>The path of a nats-server; empty: only that on the PATH is used.</summary>
    public string NatsServer { get; init; } = "";

    public override ScenarioKind Kind => Experiment;

    public override IReadOnlyList<string> DefaultArms => [.. Kind.Arms.Select(arm => arm.Name).Where(name => !QueueArms.IsCurrent(name))];

    public override IReadOnlyList<Flow> Flows => [Message, Passage];

    public override IReadOnlyList<Measure> Measures => [Achieved, RelayCpu, QueueCpu, ClientCpu, Written, Republished];

    public override IReadOnlyList<Level> Levels =>
    [
        .. from trial in Trials
           from rate in trial == QueueTrial.Relayed ? Rates : trial == QueueTrial.Alone ? [0] : [FaultRate]
           select new Level([new Setting(TrialFactor, QueueTrial.All.ToList().IndexOf(trial) + 1), new Setting(RateFactor, rate)]),
    ];

    public override Arrival Arrivals => new(For);

    public override Disturbance? Disturbance => Trials.Any(trial => trial.IsFault)
        ? new("of relay or queue")
        {
            WaitsForDeadline = false,
            KillsServers = true,
            KillsQueue = Trials.Any(IsOfQueue),
            NeedsOwnServers = true,
        }
        : null;

    /// <summary>Where each queue that the run does not start is, by the arm that uses it.</summary>
    public IReadOnlyDictionary<string, string> Elsewhere => new[]
    {
        (QueueArms.Redis, RedisAt), (QueueArms.Nats, NatsAt), (QueueArms.RabbitMq, RabbitMqAt),
    }.Where(one => one.Item2.Length > 0).ToDictionary();

    /// <summary>The highest rate first: after it servers are warm.</summary>
    IReadOnlyList<Level> ILevelPlan.LevelsIn(int block) =>
        [.. Levels.OrderBy(level => level.Settings[0].Number).ThenByDescending(level => level.Rate)];

    Disturbance? ILevelPlan.DisturbanceOf(Level level) => QueueTrial.Of(level) switch
    {
        { IsFault: false } => null,
        var trial => Disturbance! with { KillsServers = trial != QueueTrial.QueueKilled, KillsQueue = IsOfQueue(trial) },
    };

    int ILevelPlan.IterationsOf(Level level) => QueueTrial.Of(level) switch
    {
        { IsFault: false } => Iterations,
        var trial => trial == QueueTrial.PowerCut ? Cuts : Kills,
    };

    /// <summary>Faults have none: what is counted is no speed.</summary>
    int ILevelPlan.WarmUpsOf(Level level) => QueueTrial.Of(level).IsFault ? 0 : WarmUps;

    bool ILevelPlan.Runs(Arm arm, Level level) => arm.HasQueue || QueueTrial.Of(level) == QueueTrial.Relayed;

    public override LevelLoad LoadAt(Level level)
    {
        if (QueueTrial.Of(level) == QueueTrial.Alone)
            return new LevelLoad(1, AloneMessages) { Sends = 1, SendsMeanwhile = true, AttemptsByFlow = [0, AloneMessages] };
        var messages = (long)(level.Rate!.Value * For.TotalSeconds);
        return new LevelLoad(Users, messages)
        {
            ConnectionsPerUser = 2,
            AttemptsByFlow = [messages, 0],
            EndsWhenQuiet = QueueTrial.Of(level).Kind is not null,
        };
    }

    public override TrialPlan? Plan(Trial trial)
    {
        if (QueueTrial.Of(trial.Level).Kind is not { } kind)
            return null;
        // In the second third of the time: the same moment in all arms.
        var drawn = new SplitMix64(SplitMix64.At((ulong)Seed, (ulong)trial.Iteration)).NextShare();
        var at = For * ((1 + drawn) / 3);
        return new TrialPlan(NetworkConditions.Undisturbed, [new FaultAction(at, kind, TimeSpan.Zero)], For);
    }

    internal override void CheckLevels(string prefix)
    {
        ScenarioException.ThrowUnless(Trials.Count > 0 && Trials.Distinct().Count() == Trials.Count,
            $"'{prefix}trials' of scenario '{Name}' must name at least one trial, and each once.");
        if (Trials.Contains(QueueTrial.Relayed))
            ScenarioRules.CheckNumbers(Name, prefix + "rates", Rates, 1, 100_000);
        ScenarioRules.CheckTime(Name, prefix + "for", For, TimeSpan.FromSeconds(1));
        ScenarioRules.CheckRange(Name, prefix + "aloneMessages", AloneMessages, 100, 1_000_000);
        ScenarioException.ThrowUnless(AloneMessages % 10 == 0,
            $"'{prefix}aloneMessages' of scenario '{Name}' is {AloneMessages}: it must be a multiple of ten, because messages go in tens.");
        ScenarioRules.CheckRange(Name, prefix + "kills", Kills, 1, 1_000);
        ScenarioRules.CheckRange(Name, prefix + "cuts", Cuts, 1, 1_000);
    }

    internal override void CheckOwn()
    {
        base.CheckOwn();
        ScenarioRules.CheckRange(Name, "users", Users, 1, 1_000);
        ScenarioRules.CheckRange(Name, "faultRate", FaultRate, 10, 10_000);
        var most = (int)Levels.Max(Attempts);
        ScenarioException.ThrowUnless(most <= MaxMessages && Levels.Min(Attempts) >= Users,
            $"'for' of scenario '{Name}' makes {Levels.Min(Attempts)} to {most} messages in a trial: there must be one at least for each "
                + $"of the {Users} users, and {MaxMessages} at most.");
        ScenarioRules.CheckRange(Name, "payloadBytes", PayloadBytes, PayloadRoom.For(Users, most), 65_536);
        ScenarioException.ThrowUnless(NatsServer.Length > 0 || !Arms.Any(arm => QueueArms.IsCurrent(arm.Name)),
            $"Arms of scenario '{Name}' need another nats-server: name its path with --nats-server, or omit "
                + $"{string.Join(" and ", Arms.Where(arm => QueueArms.IsCurrent(arm.Name)))}.");
        foreach (var (arm, address) in Elsewhere)
        {
            var scheme = arm == QueueArms.RabbitMq ? "amqp" : arm;
            ScenarioException.ThrowUnless(
                Uri.TryCreate(address, UriKind.Absolute, out var uri) && uri.Scheme == scheme && uri.Host.Length > 0
                    && uri.UserInfo.Length == 0,
                $"The address of {arm} in scenario '{Name}' must be like {scheme}://HOST:PORT, without a password: that goes into a "
                    + "setting of the server, in the environment.");
            ScenarioException.ThrowUnless(Arms.Any(one => one.Name == arm),
                $"Scenario '{Name}' has an address of {arm}, and not the arm {arm}: add it to the arms, or omit the address.");
        }

        ScenarioException.ThrowUnless(Arms.Any(arm => arm.HasQueue) || Trials.All(trial => trial == QueueTrial.Relayed),
            $"No arm of scenario '{Name}' has a queue, which its trials need: name one that has, or ask for 'relayed' alone.");
        ScenarioException.ThrowUnless(Elsewhere.Count == 0 || !Trials.Any(IsOfQueue),
            $"Scenario '{Name}' kills queues, and the run does not start that of {string.Join(" and ", Elsewhere.Keys)}: omit its address, "
                + "or the trials queue-killed and power-cut.");
    }

    private static bool IsOfQueue(QueueTrial trial) => trial == QueueTrial.QueueKilled || trial == QueueTrial.PowerCut;

    private static QueueTrial Find(string name) => QueueTrial.All.FirstOrDefault(trial => trial.Name == name)
        ?? throw new ScenarioException(
            $"The trial '{name}' is not known{Spelling.Among(name, [.. QueueTrial.All.Select(trial => trial.Name)])}.");

    private static ScenarioKey Number(
        string name, Func<WhichQueueScenario, int> get, Func<WhichQueueScenario, int, WhichQueueScenario> set) =>
        ScenarioKey.Number(name, get, set);

    private static ScenarioKey Place(
        string name, string word, string help, Func<WhichQueueScenario, string> get,
        Func<WhichQueueScenario, string, WhichQueueScenario> set) =>
        ScenarioKey.Text(name, get, set, scenario => get(scenario).Length > 0) with
        {
            Option = new(word, $"{help}; only of which-queue", KeyGroup.Queue),
        };
}
