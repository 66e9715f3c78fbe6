using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.LoadTest.Experiments.WhichQueue;

/// <summary>What was predicted of queues, and the table to decide by.</summary>
internal static class WhichQueueAnalysis
{
    private const double Confidence = 0.95;

    private static readonly KneeLimit Fast = new(TimeSpan.FromMilliseconds(100));

    private static readonly KneeRule Rule = new([Fast], row => row.Measures.GetValueOrDefault(WhichQueueScenario.Achieved.Name));

    private static readonly string[] Queues = [.. QueueArms.All.Where(arm => arm.HasQueue).Select(arm => arm.Name)];

    // They answer for what is in the files of the system, which a killed process leaves behind.
    private static readonly string[] OutliveAKill = [.. Queues.Except(OfMemory)];

    // They answer for what is on the disk.
    private static readonly string[] OutliveThePower = [QueueArms.Redis, QueueArms.NatsAlways, QueueArms.RabbitMq];

    private static string[] OfMemory => [QueueArms.Sqs, QueueArms.RedisDefault];

    public static Analysis Analysis { get; } = new(
    [
        MessageMetrics.Loss, MessageMetrics.LatencyP50 with { Primary = true }, MessageMetrics.LatencyP99,
        .. WhichQueueScenario.Experiment.Empty().Measures.Select(Metric.From), MessageMetrics.Duplicates,
    ])
    {
        Claims =
        [
            Keeps(QueueTrial.RelayKilled, Queues, required: true), Keeps(QueueTrial.QueueKilled, OutliveAKill, required: false),
            Keeps(QueueTrial.PowerCut, OutliveThePower, required: false), OfPublishes,
            .. OfMemory.Select(arm => new LosesClaim(QueueTrial.QueueKilled, arm)),
            .. Queues.Except(OutliveThePower).Select(arm => new LosesClaim(QueueTrial.PowerCut, arm)),
        ],
        Sections = Decision,
    };

    // Nobody has had a message when the server dies: all copies are of publishers that send again.
    private static CountClaim OfPublishes => new(
        "relay-killed-copies-are-of-publishers",
        "when the relay is killed, each queue delivers at most one copy more of each message that was published again", Queues,
        "more than were published again", level => level.Rows.Sum(CopiesBeyond))
    {
        Of = QueueTrial.RelayKilled.Name,
        IsOf = level => QueueTrial.Of(level) == QueueTrial.RelayKilled,
    };

    /// <summary>Messages whose publisher heard that they were taken, and that nobody got.</summary>
    public static long LostOf(IterationRow row) =>
        row.Buckets.LostAcknowledged + row.Buckets.StillQueued + row.Buckets.DeadLettered;

    private static long CopiesBeyond(IterationRow row) => Math.Max(
        0, row.Anomalies.Duplicates - (long)(row.Measures.GetValueOrDefault(WhichQueueScenario.Republished.Name) ?? 0));

    private static CountClaim Keeps(QueueTrial trial, IReadOnlyList<string> arms, bool required) => new(
        $"{trial.Name}-loses-nothing", $"{string.Join(", ", arms)} lose no acknowledged message when {trial.When}", arms,
        "acknowledged and lost", level => level.Rows.Sum(LostOf), required)
    {
        Of = trial.Name,
        IsOf = level => QueueTrial.Of(level) == trial,
        Among = level => level.Buckets.Acknowledged,
    };

    private static IEnumerable<Block> Decision(RunFolder folder)
    {
        var scenario = (WhichQueueScenario)folder.Run.Scenario;
        var arms = scenario.ShownArms;
        var levels = scenario.Levels.Where(level => QueueTrial.Of(level) == QueueTrial.Relayed).ToArray();
        yield return new Heading(2, "Which queue");
        yield return new Paragraph(
            "Latency at the lowest rate, median and p99 of an iteration, as means over iterations; over direct's is the ratio of the "
                + $"medians. Highest rate: held in every block, {Fast}, with nothing lost; CPU is that of relay and queue there. Lost: of "
                + "the messages whose publisher heard that they were taken; in brackets the 95 % interval of the share of trials that lose "
                + "any. A relay that lives delivers what it had received before its queue was killed; the power cut kills both.");
        yield return Table.From(
            arms,
            ("queue", arm => arm),
            ("version", arm => Setting(folder, $"version of {arm}")),
            ("latency, ms", arm => levels.Length == 0 ? "" : Latency(folder, arm, levels[0])),
            ("over direct's", arm => levels.Length == 0 ? "" : OverDirect(folder, arm, levels[0])),
            ("highest rate, messages/s", arm => Highest(KneeOf(folder, arm))),
            ("CPU, us per message", arm => CpuOf(folder, arm)),
            ("relay killed", arm => Lost(folder, arm, QueueTrial.RelayKilled)),
            ("queue killed", arm => Lost(folder, arm, QueueTrial.QueueKilled)),
            ("power cut", arm => Lost(folder, arm, QueueTrial.PowerCut)));
        yield return Table.From(
            arms.Where(arm => Setting(folder, $"{arm} keeps").Length > 0),
            ("queue", arm => arm),
            ("what it keeps", arm => Setting(folder, $"{arm} keeps")));
        yield return new Heading(2, "What a message costs");
        yield return new Paragraph(
            "Processor time in us per message, and bytes that the queue writes. Relay and queue at each rate; the queue alone with a "
                + "client that publishes, receives and settles in tens, as fast as it can: what the relay adds is its time less that "
                + "client's.");
        yield return Table.From(
            from arm in arms
            from level in scenario.Levels
            where !QueueTrial.Of(level).IsFault && ArmLevel.From(folder, arm, level).Rows.Count > 0
            select (Arm: arm, Level: level),
            ("queue", one => one.Arm),
            ("messages/s offered", one => one.Level.Rate is > 0 and var rate ? Format.Whole(rate) : "alone"),
            ("arrived", one => Mean(folder, one.Arm, one.Level, WhichQueueScenario.Achieved)),
            ("relay", one => Mean(folder, one.Arm, one.Level, WhichQueueScenario.RelayCpu)),
            ("queue, us", one => Mean(folder, one.Arm, one.Level, WhichQueueScenario.QueueCpu)),
            ("client alone", one => Mean(folder, one.Arm, one.Level, WhichQueueScenario.ClientCpu)),
            ("relay less client", one => Added(folder, one.Arm, one.Level)),
            ("written, bytes", one => Mean(folder, one.Arm, one.Level, WhichQueueScenario.Written)));
    }

    private static string Latency(RunFolder folder, string arm, Level level) =>
        $"{Mean(folder, arm, level, MessageMetrics.LatencyP50)}, {Mean(folder, arm, level, MessageMetrics.LatencyP99)}";

    private static string OverDirect(RunFolder folder, string arm, Level level)
    {
        var readings = MetricReadings.Read(folder, MessageMetrics.LatencyP50, new Contrast(QueueArms.Direct, arm), level);
        var pairs = readings.BlockMeans;
        if (arm == QueueArms.Direct || pairs.Count == 0)
            return "";
        var ratio = pairs.Average(pair => pair.Second) / pairs.Average(pair => pair.First);
        return readings.PossibleOf(Ratio.PairedFieller(pairs, Confidence)) is { } interval
            ? Invariant($"{ratio:N1} ({interval.Low:N1} to {interval.High:N1})")
            : Invariant($"{ratio:N1}");
    }

    private static string Setting(RunFolder folder, string name) =>
        folder.Run.SetUp.Settings.GetValueOrDefault($"{QueueArms.Broker} {name}") ?? "";

    private static KneeRow? KneeOf(RunFolder folder, string arm) => KneeRow.All(folder, Rule)
        .FirstOrDefault(knee => knee.Arm == arm && knee.Beside == QueueTrial.Relayed.Name);

    private static string CpuOf(RunFolder folder, string arm)
    {
        var highest = KneeOf(folder, arm)?.Holds;
        var level = folder.Run.Scenario.Levels.FirstOrDefault(
            level => QueueTrial.Of(level) == QueueTrial.Relayed && level.Rate == highest);
        return level is null || MeanOf(folder, arm, level, Metric.From(WhichQueueScenario.RelayCpu)) is not { } relay
            ? ""
            : Format.Short(relay + (MeanOf(folder, arm, level, Metric.From(WhichQueueScenario.QueueCpu)) ?? 0));
    }

    private static string Highest(KneeRow? knee) => knee switch
    {
        null => "",
        { Holds: null } none => $"below {Format.Whole(none.Fails!.Value)}",
        { Fails: null } all => $"{Format.Whole(all.Holds.Value)}, the most offered",
        _ => Format.Whole(knee.Holds.Value),
    };

    private static string Lost(RunFolder folder, string arm, QueueTrial trial)
    {
        IterationRow[] rows = [.. folder.Rows.Where(row => row.Counts && row.Arm == arm && QueueTrial.Of(row.Level) == trial)];
        if (rows.Length == 0)
            return arm == QueueArms.Direct ? "" : "not tested";
        var (lost, losing) = (rows.Sum(LostOf), rows.Count(row => LostOf(row) > 0));
        var share = ExactInterval.Compute(losing, rows.Length, Confidence);
        return Invariant($"{lost} of {rows.Sum(row => row.Buckets.Acknowledged)}, in {losing} of {rows.Length} ")
            + $"({Format.Range(share, value => Format.Percent(value, 0))})";
    }

    private static string Added(RunFolder folder, string arm, Level level)
    {
        var alone = folder.Run.Scenario.Levels.FirstOrDefault(one => QueueTrial.Of(one) == QueueTrial.Alone);
        return alone is not null && MeanOf(folder, arm, level, Metric.From(WhichQueueScenario.RelayCpu)) is { } relay
            && MeanOf(folder, arm, alone, Metric.From(WhichQueueScenario.ClientCpu)) is { } client
            ? Format.Short(relay - client)
            : "";
    }

    private static string Mean(RunFolder folder, string arm, Level level, Measure measure) =>
        Mean(folder, arm, level, Metric.From(measure));

    private static string Mean(RunFolder folder, string arm, Level level, Metric metric) =>
        MeanOf(folder, arm, level, metric) is { } mean ? Format.Short(mean) : "";

    private static double? MeanOf(RunFolder folder, string arm, Level level, Metric metric)
    {
        double[] values = [.. MetricReadings.Read(folder, arm, level, metric).Select(reading => reading.Value)];
        return values.Length == 0 ? null : values.Average();
    }
}

/// <summary>
/// A queue loses acknowledged messages in some trial of a kind: not in each, as a server that lives delivers what it had in memory.
/// </summary>
internal sealed record LosesClaim(QueueTrial Trial, string Arm) : Claim(
    $"{Arm.Replace('+', '-')}-{Trial.Name}-loses", $"{Arm} loses acknowledged messages in some trial in which {Trial.When}")
{
    protected override string OfNoLevel => $"claimed of {Trial.Name} only";

    public override Verdict At(Level level, ClaimEvidence evidence)
    {
        if (QueueTrial.Of(level) != Trial)
            return Verdict.NotTestable(OfNoLevel) with { IsClaimed = false };
        if (!evidence.IsValid)
            return Verdict.NotTestable("the run is invalid");
        var rows = evidence.Of(Arm, level).Rows;
        if (rows.Count == 0)
            return Verdict.NotTestable($"{Arm} was not run");
        var losing = rows.Count(row => WhichQueueAnalysis.LostOf(row) > 0);
        var reason = Invariant($"{losing} of {rows.Count} trials lost messages, ")
            + Invariant($"{rows.Sum(WhichQueueAnalysis.LostOf)} of {rows.Sum(row => row.Buckets.Acknowledged)}");
        return losing > 0 ? Verdict.HoldingSoFar(reason) : Verdict.Refuted(reason);
    }
}
