namespace PubSubOverWs.LoadTest.Experiments.StalledReaders;

/// <summary>The cost of connections that do not read to those that do.</summary>
internal static class StalledReadersAnalysis
{
    /// <summary>A p99 beside stalled readers of up to this multiple of the p99 without them counts as no harm.</summary>
    private const double Bar = 1.5;

    private static readonly string[] Arms = [.. OtherArms.All.Select(arm => arm.Name)];

    public static Analysis Analysis { get; } = new(
    [
        MessageMetrics.LatencyP99, MessageMetrics.Loss, MessageMetrics.LatencyP50, MessageMetrics.Latency,
        .. StalledReadersScenario.Experiment.Empty().Measures.Select(measure => Metric.From(measure)), MessageMetrics.ServerCpu,
    ])
    {
        Claims =
        [
            .. OtherArms.Judged.Select(contrast => new RatioClaim(
                $"{contrast.Second}-costs-little",
                Invariant($"the p99 latency of readers in {contrast.Second} is at most {Bar} times that in {contrast.First}"),
                MessageMetrics.LatencyP99, contrast, Bar, Required: true)),
            new CountClaim(
                "readers-get-everything", "every message of a reader comes back in time, whatever other connections do", Arms,
                "lost or late", level => level.Buckets.Lost, Required: true),
            new CountClaim(
                "other-connections-as-specified",
                "other connections read everything, read nothing, or are all disconnected and told so, as the arm specifies", Arms,
                "messages or connections that differ from the arm's definition", Deviations, Required: true)
            { Among = Expected },
        ],
    };

    // Messages for them; of disconnected ones the connections, because nothing is sent to them afterwards.
    private static long Expected(ArmLevel level) => OtherArms.DoingOf(level.Arm) == Doing.Disconnected
        ? Connections(level)
        : Sum(level, StalledReadersScenario.OthersSent);

    private static long Deviations(ArmLevel level)
    {
        var sent = Sum(level, StalledReadersScenario.OthersSent);
        var read = Sum(level, StalledReadersScenario.OthersRead);
        var disconnected = Sum(level, StalledReadersScenario.Disconnected);
        return OtherArms.DoingOf(level.Arm) switch
        {
            Doing.Reading => Math.Max(sent == 0 ? 1 : 0, sent - read) + Filled(level),
            Doing.Stalled => (level.Rows.Count - Filled(level)) + read + disconnected,
            Doing.Disconnected => (2 * Connections(level)) - disconnected - Sum(level, StalledReadersScenario.Told),
            _ => sent + read + Filled(level),
        };
    }

    private static int Filled(ArmLevel level) => level.Rows.Count(row => Find(row, StalledReadersScenario.Rounds) > 0);

    private static long Connections(ArmLevel level) => (long)level.Rows.Count * level.Level.Number;

    private static long Sum(ArmLevel level, Measure measure) => (long)level.Rows.Sum(row => Find(row, measure) ?? 0);

    private static double? Find(IterationRow row, Measure measure) => row.Measures.GetValueOrDefault(measure.Name);
}

/// <summary>Each server with every thing that other connections do beside the readers.</summary>
public static class OtherArms
{
    private static readonly string[] Servers = [Relays.Direct, Relays.PubSub];

    private static readonly (Doing Doing, string Suffix, string About)[] Doings =
    [
        (Doing.Away, "-alone", "its readers alone"),
        (Doing.Reading, "-reading", "other connections read as well"),
        (Doing.Stalled, "-stalled", "other connections do not read"),
        (Doing.Disconnected, "-disconnected", "the server has disconnected other connections that did not read"),
    ];

    public static IReadOnlyList<Arm> All { get; } =
    [
        .. from server in Relays.Named(Servers)
           from one in Doings
           select server with { Name = server.Name + one.Suffix, About = one.About },
    ];

    /// <summary>Of each server: others that do not read, and that do, against the readers alone; and these two with each other.</summary>
    public static IReadOnlyList<Contrast> Contrasts { get; } =
    [
        .. from server in Servers
           from one in new[] { ("-alone", "-stalled"), ("-alone", "-reading"), ("-reading", "-stalled") }
           select new Contrast(server + one.Item1, server + one.Item2),
    ];

    /// <summary>Those of the contrasts that say what stalled readers cost the others.</summary>
    public static IReadOnlyList<Contrast> Judged { get; } =
        [.. Contrasts.Where(one => DoingOf(one.First) == Doing.Away && DoingOf(one.Second) == Doing.Stalled)];

    /// <summary>The behaviour of the other connections in an arm.</summary>
    /// <exception cref="InvalidOperationException">It is none of this experiment.</exception>
    public static Doing DoingOf(string arm) => Doings.Single(one => arm.EndsWith(one.Suffix, StringComparison.Ordinal)).Doing;
}

/// <summary>The behaviour of the connections beside the readers.</summary>
public enum Doing
{
    /// <summary>They are not there.</summary>
    Away,

    /// <summary>They are sent messages, and read them.</summary>
    Reading,

    /// <summary>They are sent messages and read none, after all was filled that is kept for them.</summary>
    Stalled,

    /// <summary>They did not read until the server disconnected them, read to the end then, and have gone.</summary>
    Disconnected,
}
