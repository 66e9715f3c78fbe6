using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>Tables I to IV: measured beside published, and what follows from it.</summary>
internal sealed class TableBuilder
{
    private static readonly Dictionary<string, RowVerdict> Shown = [];

    private readonly RunFolder _folder;
    private readonly OneWayScenario _scenario;
    private readonly PublishedPaper _paper;
    private readonly bool _valid;

    public TableBuilder(RunFolder folder, PublishedPaper paper, bool valid)
    {
        _folder = folder;
        _scenario = (OneWayScenario)folder.Run.Scenario;
        // The paper compares no server with itself, and breaks nothing.
        _paper = !_scenario.IsReplication ? paper with { Loss = [], LostMessages = [], Latency = [], BandwidthOut = [] } : paper;
        paper = _paper;
        _valid = valid;
        Loss = LossTable();
        LostMessages = Table(
            "Table II. Lost messages per iteration", "messages", MessageMetrics.LostMessages, paper.LostMessages, _ => Shown,
            judged: false);
        Latency = Table("Table III. Latency", "ms", MessageMetrics.Latency, paper.Latency, JudgeLatency);
        Bytes = Table(
            "Table IV. Bytes to clients per delivered message", "bytes", MessageMetrics.Bytes, paper.BandwidthOut, JudgeBytes);
        KbpsOverDeadline = Table(
            "Table IV as printed. Bandwidth out over the deadline", "Kbps", MessageMetrics.KbpsOverDeadline,
            paper.BandwidthOut, _ => Shown, judged: false);
        KbpsOverBurst = Table(
            "Bandwidth out over the arm's own duration", "Kbps", MessageMetrics.KbpsOverBurst, paper.BandwidthOut, _ => Shown,
            judged: false);
    }

    public MetricTable Loss { get; }

    public MetricTable LostMessages { get; }

    public MetricTable Latency { get; }

    public MetricTable Bytes { get; }

    public MetricTable KbpsOverDeadline { get; }

    public MetricTable KbpsOverBurst { get; }

    /// <summary>Null: this is no A/A run.</summary>
    public SelfComparison? AgainstItself => _scenario is { IsAgainstItself: true } scenario
        ? AgainstItselfJudge.Judge(scenario.Arms[0].Target, Measured(Loss), Measured(Latency), Measured(Bytes))
        : null;

    /// <summary>Null: something was broken, and nothing is resolved.</summary>
    public IReadOnlyList<Resolution>? Resolved => _scenario.Disturbance is null
        ? [.. Measured(Latency).Select(Resolution.From)]
        : null;

    public IReadOnlyList<HypothesisVerdict> Hypotheses() => !_scenario.IsReplication ? [] :
    [
        From("H1a", "The direct server loses messages, from 500 users on.", Loss),
        From("H1b", "Pubsub loses fewer messages than the direct server.", Loss),
        From("H2", "Pubsub is slower: its mean latency is higher. The paper claims it from 500 users on.", Latency),
        HypothesisVerdict.From(
            "H3", "Pubsub uses more outgoing bandwidth, in Kbps, as published.", [.. KbpsOverDeadline.Rows.Select(Bandwidth)]),
        From("H3'",
            "Per delivered message both send their clients the same bytes: what is left of H3 without the losses. Equal by construction "
                + "here, because both servers write the same frames: it checks the set-up.", Bytes),
    ];

    // Its mechanism is H1's: who loses less sends more. Without losses there is nothing to see, and Kbps over an unknown window are not
    // testable anyway.
    private RowVerdict Bandwidth(MetricRow row) => row.Published is null ? Unpublished(row.Measured)
        : new(row.Measured.Users, PaperVerdict.NotTestable, _folder.Rows.Any(one =>
            one.Counts && one.Users == row.Measured.Users && one.Arm != Arm.Floor.Name && one.Buckets.Lost > 0)
            ? "shown, not judged: the window of the published Kbps is not known"
            : "nothing was lost, and the published difference is that of what was delivered");

    private static HypothesisVerdict From(string id, string claim, MetricTable table) =>
        HypothesisVerdict.From(id, claim, [.. table.Rows.Where(row => row.Verdicts.ContainsKey(id)).Select(row => row.Verdicts[id])]);

    private static MetricRow Row(
        Comparison measured, PublishedRow? published, PublishedLoss? loss, IReadOnlyDictionary<string, RowVerdict> verdicts) =>
        new(measured, published, loss, verdicts);

    private MetricTable Table(
        string title,
        string unit,
        Metric metric,
        IReadOnlyList<PublishedRow> published,
        Func<(Comparison Measured, PublishedRow? Published), IReadOnlyDictionary<string, RowVerdict>> judge,
        bool judged = true)
    {
        var rows = Compared(metric, explored: judged)
            .Select(row => (Measured: row, Published: published.FirstOrDefault(one => one.Users == row.Users))).ToArray();
        judged &= _scenario.IsReplication;
        return new MetricTable(
            title, unit, judged, [.. rows.Select(row => Row(row.Measured, row.Published, null, judged ? judge(row) : Shown))]);
    }

    private IEnumerable<Comparison> Compared(Metric metric, bool explored)
    {
        var levels = MetricReadings.Read(_folder, metric);
        var rows = Comparisons.Compute(levels);
        return explored ? rows.Zip(levels, (row, level) => row with
        { Exploratory = Exploratory.Compute(Values(level.First), Values(level.Second)) }) : rows;
    }

    private static double[] Values(IReadOnlyList<Reading> readings) => [.. readings.Select(reading => reading.Value)];

    private MetricTable LossTable() => new("Table I. Loss", "percent of sent messages", _scenario.IsReplication,
        [.. Compared(
            MessageMetrics.Loss, explored: false)
                .Select(row =>
                    row with
                        { Exploratory = Exploratory.OfShares(
                            Shares(_scenario.Compared.First, row.Level),
                            Shares(_scenario.Compared.Second, row.Level)) }).Select(row =>
        {
            var published = _paper.Loss.FirstOrDefault(one => one.Users == row.Users);
            return Row(row, null, published, !_scenario.IsReplication ? Shown : JudgeLoss(row, published));
        })]);

    private IReadOnlyList<(long Lost, long Attempts)> Shares(string arm, Level level) =>
        [.. ArmLevel.From(_folder, arm, level).Rows.Where(row => row.Buckets.Attempts > 0)
            .Select(row => ((long)row.Buckets.Lost, (long)row.Buckets.Attempts))];

    private Dictionary<string, RowVerdict> JudgeLoss(Comparison row, PublishedLoss? published)
    {
        if (published is null)
            return new() { ["H1a"] = Unpublished(row), ["H1b"] = Unpublished(row) };
        var direct = ArmLevel.From(_folder, Relays.Direct, row.Level);
        var circumstances = With(_folder.Noise?.Loss);
        return new()
        {
            ["H1a"] = LossJudge.DirectLoses(published, direct, row.Blocks, circumstances),
            ["H1b"] = LossJudge.PubSubLosesLess(published, row, circumstances),
        };
    }

    private Dictionary<string, RowVerdict> JudgeLatency((Comparison Measured, PublishedRow? Published) row) => new()
    {
        ["H2"] = row.Published is not { } published
            ? Unpublished(row.Measured)
            : RowJudge.Judge(PublishedClaim.Latency(published), row.Measured, WithFactor(_folder.Noise?.Latency)),
    };

    private Dictionary<string, RowVerdict> JudgeBytes((Comparison Measured, PublishedRow? Published) row) => new()
    {
        ["H3'"] = row.Published is null
            ? Unpublished(row.Measured)
            : RowJudge.Same(row.Measured, WithFactor(_folder.Noise?.Bytes)),
    };

    private Circumstances WithFactor(double? floor) => With(floor is { } factor ? Math.Log(factor) : null);

    private Circumstances With(double? floor) => _folder.Noise is { Passes: false }
        ? new Circumstances(_valid, null, "the set-up failed its A/A run")
        : _folder.Noise is null
        ? new Circumstances(_valid, null)
        : new Circumstances(_valid, floor, "the noise floor has no end: an A/A interval has none");

    private static Comparison[] Measured(MetricTable table) => [.. table.Rows.Select(row => row.Measured)];

    private static RowVerdict Unpublished(Comparison row) => new(row.Users, PaperVerdict.NotTestable, "the paper has no such level");
}

/// <summary>The points of the figures, from the record and its tables.</summary>
internal static class PointBuilder
{
    public static FigurePoints Build(RunFolder folder, TableBuilder tables) => new(
        Both(folder.Run.Scenario.Compared, tables.Loss,
            row => (Published(row.PublishedLoss?.Direct), Published(row.PublishedLoss?.PubSub))),
        Both(folder.Run.Scenario.Compared, tables.Latency, row => (Published(row.Published?.Direct), Published(row.Published?.PubSub))),
        [.. folder.Rows.Where(row => !row.Superseded).OrderBy(row => row.Order).Select(row => Point(folder.Run.Scenario, row))],
        folder.Events);

    private static ArmPoint[] Both(
        Contrast compared, MetricTable table,
        Func<MetricRow, ((double? Mean, double? Sd) Direct, (double? Mean, double? Sd) PubSub)> published) =>
    [
        .. from row in table.Rows
           let printed = published(row)
           from point in new[]
           {
               Point(compared.First, row.Measured.Users, row.Measured.First, printed.Direct),
               Point(compared.Second, row.Measured.Users, row.Measured.Second, printed.PubSub),
           }
           where point.Count > 0
           select point,
    ];

    private static ArmPoint Point(string arm, int users, Moments measured, (double? Mean, double? Sd) published) => new(
        arm, users, measured.Count, measured.Mean, measured.Count < 2 ? null : measured.StandardDeviation,
        PairedTest.Difference(measured, 0.95), published.Mean, published.Sd);

    private static IterationPoint Point(Scenario scenario, IterationRow row) => new(
        row.Arm, row.Users, row.Block, row.Iteration, row.WarmUp, row.Start.TotalSeconds,
        (row.Connect + row.Burst + row.Drain).TotalSeconds, MessageMetrics.Latency.Shown(scenario, row),
        MessageMetrics.Loss.Shown(scenario, row));

    // The paper prints no deviation of a loss.
    private static (double? Mean, double? Sd) Published(PublishedShare? share) => (share?.Loss, null);

    private static (double? Mean, double? Sd) Published(PublishedArm? arm) => (arm?.Mean.Value, arm?.Sd.Value);
}
