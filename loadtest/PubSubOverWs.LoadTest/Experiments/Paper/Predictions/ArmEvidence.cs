using PubSubOverWs.LoadTest.Experiments.Paper.Faults;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

/// <summary>The measured iterations of one arm at one level.</summary>
/// <param name="Level">At least one row of iterations.csv.</param>
/// <param name="Faults">Their fault measures; empty if the workload has none.</param>
public sealed record ArmEvidence(ArmLevel Level, IReadOnlyList<FaultRow> Faults)
{
    public string Arm => Level.Arm;

    public Buckets Buckets { get; } = Level.Buckets;

    /// <summary>False: the run did not start the servers, and all of it is one block.</summary>
    public bool AreBlocksAfresh { get; init; } = true;

    /// <summary>The losses of each block: iterations of one block share their servers.</summary>
    public IReadOnlyList<(long Lost, long Attempts)> LostOfAttempted =>
        [.. Level.Rows.GroupBy(row => AreBlocksAfresh ? row.Block : 1).Select(block =>
            (block.Sum(row => (long)row.Buckets.Lost), block.Sum(row => (long)row.Buckets.Attempts)))];

    /// <summary>The expected loss of an arm that stores nothing, by the measured windows; null: not known.</summary>
    public long? PredictedLost => Faults.Count == 0 ? null : Faults.Sum(row => row.PredictedLost);

    /// <summary>Losses that windows do not explain: shed messages, and clients that never connected.</summary>
    public long LostToOtherCauses => OtherCauses(Buckets);

    /// <summary>All other losses.</summary>
    public long LostToWindows => Buckets.Lost - LostToOtherCauses;

    /// <summary><see cref="LostToWindows"/> over <see cref="PredictedLost"/>; null: none predicted.</summary>
    public double? LostOfPredicted => PredictedLost is > 0 and { } predicted ? (double)LostToWindows / predicted : null;

    /// <summary>The range of that over the iterations with a predicted loss; there must be one.</summary>
    public (double Low, double High) LostOfPredictedRange
    {
        get
        {
            var rows = Level.Rows.ToDictionary(row => row.Iteration, row => row.Buckets.Lost - OtherCauses(row.Buckets));
            double[] ratios = [.. Faults.Where(row => row.PredictedLost > 0)
                .Select(row => (double)rows[row.Iteration] / row.PredictedLost)];
            return (ratios.Min(), ratios.Max());
        }
    }

    /// <summary>The mean over all windows of subscribers, in ms; null: none.</summary>
    public double? SubscriberAwayMean => MeanOf(row => row.SubscriberAwayMean, row => row.SubscriberWindows);

    /// <summary>The same for publishers.</summary>
    public double? PublisherAwayMean => MeanOf(row => row.PublisherAwayMean, row => row.PublisherWindows);

    /// <summary>Iterations after which the queue was not shown to be empty.</summary>
    public int NotDrained => Level.Rows.Count(row => row.DrainState != DrainState.Proven);

    /// <summary>Iterations that lost acknowledged messages, of those after which the queue was shown to be empty.</summary>
    public int LosingAcknowledged => Level.Rows.Count(row => row.DrainState == DrainState.Proven && row.Buckets.LostAcknowledged > 0);

    /// <summary>Why a guarantee cannot be claimed; null: it can.</summary>
    public string? NoGuarantee => Buckets.Acknowledged == 0 ? "nothing was acknowledged"
        : NotDrained > 0 ? $"the queue was not shown to be empty after {NotDrained} of {Level.Rows.Count} iterations"
        : null;

    /// <summary>Fault actions that were carried out on the arm.</summary>
    public long FaultActions => Faults.Sum(row => (long)row.FaultActions);

    /// <summary>Of the attempts, such as <c>12 of 200000 (0.006 %)</c>.</summary>
    public string Lost => Text(Buckets.Lost, Buckets.Attempts);

    /// <summary>Of acknowledged messages.</summary>
    public string LostAcknowledged => Text(Buckets.LostAcknowledged, Buckets.Acknowledged);

    public bool HasWindows => Faults.Any(row => row.SubscriberWindows > 0);

    /// <summary>The sum of all subscriber windows that ended; null: not known.</summary>
    public TimeSpan? SubscribersAway =>
        Faults.Count == 0 ? null : TimeSpan.FromTicks(Faults.Sum(row => (row.SubscriberAwayMean?.Ticks ?? 0) * row.SubscriberWindows));

    /// <summary>Clients that did not come back.</summary>
    public long NeverBack => Faults.Sum(row => (long)row.NeverBack);

    /// <summary>Of delivered messages, in ms from due; null: none.</summary>
    public double? LongestLatency => Level.Rows.Max(row => row.FromDue.Max) / 1000;

    private static long OtherCauses(Buckets buckets) =>
        buckets.Causes.Shed + buckets.Causes.ConnectRefused + buckets.Causes.ConnectTimeout + buckets.Causes.HandshakeRejected;

    private static string Text(long part, long all) => all == 0
        ? $"{part} of 0"
        : $"{part} of {all} ({Percent(100.0 * part / all)} %)";

    // Four significant digits at most.
    private static string Percent(double percent) =>
        percent.ToString(percent >= 10 ? "0.##" : percent >= 1 ? "0.###" : "0.####", CultureInfo.InvariantCulture);

    private double? MeanOf(Func<FaultRow, TimeSpan?> mean, Func<FaultRow, int> count)
    {
        var rows = Faults.Where(row => mean(row) is not null && count(row) > 0).ToArray();
        var windows = rows.Sum(row => (long)count(row));
        return windows == 0 ? null : rows.Sum(row => mean(row)!.Value.TotalMilliseconds * count(row)) / windows;
    }
}

/// <summary>The arms of one level, as the basis for judging expectations.</summary>
/// <param name="Obstacle">Why nothing can be tested, such as <c>the run is invalid</c>; null: it can.</param>
public sealed record FaultEvidence(string? Obstacle, IReadOnlyList<ArmEvidence> Arms)
{
    /// <summary>Why the run is too small for any judgement; null: it is not.</summary>
    public string? TooSmall { get; init; }

    /// <summary>The time over which messages were due; zero: all at once.</summary>
    public TimeSpan Spread { get; init; }

    public static FaultEvidence From(RunRecord run, bool isValid, IReadOnlyList<ArmEvidence> arms) =>
        new(ObstacleOf(run, isValid), arms)
        {
            TooSmall = FewFaultActions(FaultOf(run), arms),
            Spread = run.Scenario.Arrivals.Spread,
        };

    /// <summary>Null: the arm was not run, or has no measured iteration.</summary>
    public ArmEvidence? Find(string arm) => Arms.FirstOrDefault(one => one.Arm == arm);

    public ArmEvidence Of(string arm) => Find(arm) ?? throw new InvalidOperationException($"There is no evidence of {arm}.");

    private static Fault FaultOf(RunRecord run) => ((OneWayScenario)run.Scenario).Fault;

    private static string? ObstacleOf(RunRecord run, bool isValid) => FaultOf(run) switch
    {
        _ when !isValid => "the run is invalid",
        _ when !run.Complete => "the run is incomplete",
        { NeedsPinning: true } when run.SetUp.NotPinnedBecause is { } why => $"nothing was pinned: {why}",
        { NotJudgedBecause: { } parameters } => parameters,
        _ => null,
    };

    private static string? FewFaultActions(Fault fault, IReadOnlyList<ArmEvidence> arms) =>
        arms.FirstOrDefault(arm => arm.FaultActions < fault.LeastFaultActions) is { } few
            ? $"{few.Arm} has {few.FaultActions} fault actions over the run, and {fault.LeastFaultActions} are needed"
            : null;
}

/// <summary>Compares a prediction with the outcome at one level.</summary>
public static class FaultJudge
{
    public static FaultOutcome Judge(IReadOnlyList<Expectation> prediction, FaultEvidence evidence)
    {
        ExpectationFinding[] findings =
        [
            .. prediction.Where(one => !one.OnlyWhereRun || one.Arms.All(arm => evidence.Find(arm) is not null))
                .Select(one => one.Judge(evidence)),
        ];
        var wrong = Array.FindAll(findings, one => one.Word == ExpectationWord.NotAsPredicted);
        if (wrong.Length > 0)
            return new(ExpectationWord.NotAsPredicted, $"not as predicted: {string.Join("; ", wrong.Select(Said))}", findings);
        // A prediction holds only as a whole: an untested line is not shown.
        var untested = Array.FindAll(findings, one => one.Word != ExpectationWord.AsPredicted);
        if (untested.Length == 0)
            return new(ExpectationWord.AsPredicted, "as predicted", findings);
        var word = Array.Exists(untested, one => one.Word == ExpectationWord.NotJudged)
            ? ExpectationWord.NotJudged
            : ExpectationWord.NotTestable;
        // One reason for all lines is said once.
        var why = word == ExpectationWord.NotJudged && evidence.TooSmall is { } small ? small : string.Join("; ", untested.Select(Said));
        return new(word, $"{FaultSection.Words(word)}: {why}", findings);
    }

    private static string Said(ExpectationFinding one) => $"{one.Expected} ({one.Found})";
}

/// <param name="Word">Not as predicted, if one line is not; else not judged, if one is not; else not testable, if one is not; else as
/// predicted.</param>
/// <param name="Text">The same with the lines that decided it.</param>
public sealed record FaultOutcome(ExpectationWord Word, string Text, IReadOnlyList<ExpectationFinding> Findings);
