namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

/// <summary>One round: all trials that run at once, or one trial.</summary>
/// <param name="Scenario">The sensor, the polls, and the levels in the order of their proxies.</param>
/// <param name="Run">Distinguishes its clients from those of other runs.</param>
public sealed record TransportPlan(TransportScenario Scenario, IReadOnlyList<Trial> Trials, string Run)
{
    // Iterations are numbered over the whole run, so that nothing of one is for clients of another.
    private const int ChannelsOfIteration = 10_000;

    private readonly Dictionary<Level, int> _firstChannels = First(Scenario, Trials);

    /// <summary>Measurements that each client is meant to receive, with those that settle.</summary>
    public int Measurements => TransportScenario.Settling + Scenario.Measurements;

    /// <summary>The first of all that is judged.</summary>
    public long FirstJudged => (long)TransportScenario.Settling * Channels;

    /// <summary>The sensors: one for each client of an arm at a level, and the same for the other arms.</summary>
    public int Channels { get; } = Trials.DistinctBy(trial => trial.Level).Sum(trial => Scenario.UsersAt(trial.Level));

    public long Sends => (long)Measurements * Channels;

    /// <summary>The place of a level, which is that of its proxy.</summary>
    public int ProxyOf(Level level) => Scenario.Levels.Index().First(one => one.Item.Equals(level)).Index;

    /// <summary>The sensor of a client, from 0.</summary>
    /// <param name="client">From 0, of its arm and level.</param>
    public int ChannelOf(Level level, int client) => _firstChannels[level] + client;

    /// <summary>The number of a channel at the server.</summary>
    public int NumberOf(int channel) => (Trials[0].Iteration * ChannelsOfIteration) + channel;

    /// <summary>When a measurement is due, after the first of all: those of different sensors at different times.</summary>
    public TimeSpan DueAt(long send) => Scenario.Arrivals.DueAt(send, Sends);

    /// <summary>Its sensor, and its number there.</summary>
    public (int Channel, int Number) Of(long send) => ((int)(send % Channels), (int)(send / Channels));

    /// <inheritdoc cref="Of"/>
    public long SendOf(int channel, int number) => ((long)number * Channels) + channel;

    /// <summary>
    /// When a client begins to poll, after the first measurement of its sensor is due: the clients of a level at evenly spaced phases, of
    /// which the first is drawn for the iteration.
    /// </summary>
    public TimeSpan PhaseOf(Level level, int client)
    {
        var first = new SplitMix64((ulong)(Scenario.Seed + Trials[0].Iteration)).NextShare();
        return Scenario.Period * ((client + first) / Scenario.UsersAt(level));
    }

    /// <summary>The name of a client, unique among all that meet the same server.</summary>
    public string NameOf(Trial trial, int client) => Invariant($"{Run}-{trial.Iteration}-{trial.Arm.Name}-{client}");

    /// <summary>The id of a measurement: the same for all arms.</summary>
    public static string IdOf(Trial trial, int client, int number) => Invariant($"{trial.Iteration}-{client}-{number}");

    private static Dictionary<Level, int> First(TransportScenario scenario, IReadOnlyList<Trial> trials)
    {
        var channels = new Dictionary<Level, int>();
        var next = 0;
        foreach (var level in scenario.Levels.Where(level => trials.Any(trial => trial.Level.Equals(level))))
        {
            channels[level] = next;
            next += scenario.UsersAt(level);
        }

        return channels;
    }
}
