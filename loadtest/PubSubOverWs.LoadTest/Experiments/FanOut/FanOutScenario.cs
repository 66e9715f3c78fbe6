namespace PubSubOverWs.LoadTest.Experiments.FanOut;

/// <summary>Publishers send to one topic at a constant rate together, and every subscriber of it is meant to get every message.</summary>
public sealed record FanOutScenario : RelayScenario
{
    /// <summary>Copies of messages that came first and intact, over the time from the first due to the last of them.</summary>
    public static Measure Deliveries { get; } = new("deliveriesPerSecond", "1/s", "deliveries per second");

    /// <summary>
    /// The reach of the subscriber with the smallest: copies that it got in time, of all messages. One that was not connected when the
    /// first message was due has missed messages as any other has.
    /// </summary>
    public static Measure LeastReach { get; } = new("leastReach", "percent", "messages that reached the least reached subscriber in time");

    /// <summary>Subscribers that got every message in time.</summary>
    public static Measure Reached { get; } = new("fullyReached", "subscribers", "subscribers that got every message in time");

    // Each takes a stamp of 8 bytes while it is measured, and 16 bytes while it is counted.
    private const long MaxDeliveries = 10_000_000;

    private static readonly Factor SubscribersFactor = new("subscribers", "subscribers");

    private static readonly Factor RateFactor = new("rate", "messages/s");

    public static ScenarioKind Experiment { get; } = new(
        "fan-out", Relays.Named(Relays.Direct, Relays.PubSub), [Relays.Contrast], [SubscribersFactor, RateFactor],
        [
            CommonKeys.Name, CommonKeys.Arms,
            ScenarioKey.Numbers<FanOutScenario>(
                "subscribers", scenario => scenario.Subscribers, (scenario, value) => scenario with { Subscribers = value }),
            ScenarioKey.Numbers<FanOutScenario>("rates", scenario => scenario.Rates, (scenario, value) => scenario with { Rates = value }),
            ScenarioKey.Number<FanOutScenario>(
                "publishers", scenario => scenario.Publishers, (scenario, value) => scenario with { Publishers = value }),
            ScenarioKey.Time<FanOutScenario>("for", scenario => scenario.For, (scenario, value) => scenario with { For = value }),
            CommonKeys.Iterations, CommonKeys.Blocks, CommonKeys.WarmUps, CommonKeys.MostWarmUps, CommonKeys.Deadline,
            CommonKeys.PayloadBytes, CommonKeys.Receipts, CommonKeys.Pinning, RelayKeys.Workers,
            RelayKeys.QueueLatency, RelayKeys.PubSubNodes, CommonKeys.Seed, CommonKeys.Gates, CommonKeys.Margins, CommonKeys.Quick,
        ],
        ["subscribers", "rates", "for", "iterations", "blocks"],
        () => new FanOutScenario { Name = "" })
    {
        KeepsSamples = false,
    };

    public FanOutScenario() => (Arms, Floor) = (Experiment.Arms, false);

    /// <summary>How many subscribe to the topic. 1 to 5,000 each.</summary>
    public IReadOnlyList<int> Subscribers { get; init; } = [];

    /// <summary>Messages a second of all publishers together. 1 to 10,000 each.</summary>
    public IReadOnlyList<int> Rates { get; init; } = [];

    /// <summary>They send in turn, each over a connection of its own. 1 to 100.</summary>
    public int Publishers { get; init; } = 4;

    /// <summary>For how long messages are due. 100 ms to 10 min.</summary>
    public TimeSpan For { get; init; } = TimeSpan.FromSeconds(2);

    public override ScenarioKind Kind => Experiment;

    public override IReadOnlyList<Measure> Measures => [Deliveries, LeastReach, Reached];

    /// <summary>Every number of subscribers with every rate.</summary>
    public override IReadOnlyList<Level> Levels =>
    [
        .. from subscribers in Subscribers
           from rate in Rates
           select new Level([new Setting(SubscribersFactor, subscribers), new Setting(RateFactor, rate)]),
    ];

    public override Arrival Arrivals => new(For);

    public override LevelLoad LoadAt(Level level)
    {
        var sends = Math.Max(1, (long)(level.Settings[1].Number * For.TotalSeconds));
        return new LevelLoad(SubscribersAt(level) + Publishers, sends * SubscribersAt(level))
        {
            Sends = sends,
            Workers = LoadProcesses,
        };
    }

    /// <summary>How many subscribe at a level.</summary>
    public static int SubscribersAt(Level level) => level.Settings[0].Number;

    internal override void CheckLevels(string prefix)
    {
        ScenarioRules.CheckNumbers(Name, prefix + "subscribers", Subscribers, 1, 5_000);
        ScenarioRules.CheckNumbers(Name, prefix + "rates", Rates, 1, 10_000);
        ScenarioRules.CheckTime(Name, prefix + "for", For, TimeSpan.FromMilliseconds(100));
        if (Levels.FirstOrDefault(level => Attempts(level) > MaxDeliveries) is { } large)
            throw new ScenarioException(
                $"'{prefix}for' of scenario '{Name}' makes {Attempts(large)} deliveries in one iteration at {large}: at most "
                    + $"{MaxDeliveries} are counted at a time, so choose a shorter time or a lower rate.");
    }

    internal override void CheckOwn()
    {
        base.CheckOwn();
        ScenarioRules.CheckRange(Name, "publishers", Publishers, 1, 100);
        CheckWorkers(Subscribers.Min());
        var messages = (int)Levels.Max(Sends);
        ScenarioRules.CheckRange(Name, "payloadBytes", PayloadBytes, PayloadRoom.For(Publishers, messages), 65_536);
    }
}
