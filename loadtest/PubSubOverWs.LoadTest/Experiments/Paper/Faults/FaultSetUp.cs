namespace PubSubOverWs.LoadTest.Experiments.Paper.Faults;

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
    /// <param name="seed">Of the scenario.</param>
    /// <param name="iteration">Unique over the run; its arms share it.</param>
    /// <param name="spread">Over which the messages are due.</param>
    /// <returns>In order; one ends before the next begins.</returns>
    public static IReadOnlyList<FaultAction> For(Fault fault, long seed, int iteration, TimeSpan spread) =>
        fault.Actions(spread, new SplitMix64(StateOf(seed, iteration)));

    // Seeds that are near each other give states that are far apart.
    private static ulong StateOf(long seed, int iteration) => new SplitMix64((ulong)seed).Next() + (ulong)iteration;
}
