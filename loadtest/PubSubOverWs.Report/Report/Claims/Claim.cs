using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Claims;

/// <summary>A statement made before the run, which the run confirms or refutes.</summary>
/// <param name="Id">Short, and unique in its experiment.</param>
/// <param name="Text">The statement, as a sentence without its full stop.</param>
/// <param name="Required">True: a run that refutes it ends as one that failed a gate, with exit code 2.</param>
public abstract record Claim(string Id, string Text, bool Required = false)
{
    /// <summary>In a few words, why a run without any level of which it is claimed cannot decide.</summary>
    protected virtual string OfNoLevel => "no level was run of which it is claimed";

    public abstract Verdict At(Level level, ClaimEvidence evidence);

    /// <summary>
    /// The verdict over all levels of which it is claimed: refuted if one refutes it, else open if one leaves it open, else what they all
    /// say.
    /// </summary>
    public Verdict Together(IReadOnlyList<LevelVerdict> levels)
    {
        LevelVerdict[] claimed = [.. levels.Where(one => one.Verdict.IsClaimed)];
        return claimed.Length == 0 ? Verdict.NotTestable(OfNoLevel) : Decided(claimed);
    }

    private static Verdict Decided(LevelVerdict[] levels)
    {
        var decisive = levels.MinBy(one => one.Verdict.Holds switch { false => 0, null => 1, true => 2 })!.Verdict;
        var alike = levels.Where(one => one.Verdict.Word == decisive.Word).ToArray();
        return decisive with
        {
            Reason = alike is [var only] && levels.Length == 1
                ? only.Verdict.Reason
                : string.Join("; ", alike.Select(one => $"{one.Level}: {one.Verdict.Reason}")),
        };
    }
}

/// <param name="Word">One or two words, such as <c>holds</c>.</param>
/// <param name="Holds">False: refuted. Null: open, neither shown nor refuted.</param>
public sealed record Verdict(string Word, bool? Holds, string Reason)
{
    /// <summary>The word for a run that is too small for a verdict.</summary>
    public const string TooSmall = "not judged (quick)";

    /// <summary>False: nothing is claimed of this level, which therefore decides nothing.</summary>
    public bool IsClaimed { get; init; } = true;

    public static Verdict Holding(string reason) => new("holds", true, reason);

    /// <summary>Not refuted by a run that is too small to confirm it.</summary>
    public static Verdict HoldingSoFar(string reason) => new("holds so far", true, reason);

    public static Verdict Refuted(string reason) => new("refuted", false, reason);

    /// <summary>The run was large enough, but its result is not clear.</summary>
    public static Verdict Inconclusive(string reason) => new("inconclusive", null, reason);

    public static Verdict NotJudged(string reason) => new(TooSmall, null, reason);

    /// <summary>No run of this kind can decide, however large.</summary>
    public static Verdict NotTestable(string reason) => new("not testable", null, reason);
}

public sealed record LevelVerdict(Level Level, Verdict Verdict);

public sealed record ClaimResult(Claim Claim, Verdict Together, IReadOnlyList<LevelVerdict> Levels)
{
    /// <summary>True: the run must not end with exit code 0.</summary>
    public bool Fails => Claim.Required && Together.Holds == false;

    public string Sentence => $"{Claim.Id} ({Claim.Text}): {Together.Word}, {Together.Reason}.";
}

/// <summary>The basis for judging claims: a record and its comparisons, each of which is made once.</summary>
public sealed class ClaimEvidence(RunFolder folder)
{
    private readonly Dictionary<Metric, MetricComparisons> _tables = [];

    public RunFolder Folder => folder;

    /// <summary>False: a check of the run is broken, and nothing may be concluded from it.</summary>
    public bool IsValid { get; } = Validity.IsValid(folder);

    public Scenario Scenario => folder.Run.Scenario;

    /// <summary>False: iterations that were planned are missing.</summary>
    public bool IsComplete => folder.Run.Complete;

    /// <summary>A metric in every contrast of the run.</summary>
    public MetricComparisons Compared(Metric metric) => _tables.TryGetValue(metric, out var made)
        ? made
        : _tables[metric] = MetricComparisons.Compute(folder, metric);

    /// <summary>One row of it; null: the run has not both arms of the contrast.</summary>
    public Comparison? Row(Metric metric, Contrast contrast, Level level) =>
        Compared(metric).Contrasts.FirstOrDefault(one => one.Contrast == contrast)?.Rows.Single(row => row.Level.Equals(level));

    /// <summary>What both arms of any contrast read at a level; without readings where one was not run.</summary>
    public LevelReadings Readings(Metric metric, Contrast contrast, Level level) =>
        MetricReadings.Read(folder, metric, contrast, level);

    public ArmLevel Of(string arm, Level level) => ArmLevel.From(folder, arm, level);

    /// <summary>Why a contrast has no verdict at a level: what one of its arms drove to its limit there. Null: nothing.</summary>
    public string? Saturated(Contrast contrast, Level level) =>
        Of(contrast.First, level).Saturated(folder.Run.Scenario) ?? Of(contrast.Second, level).Saturated(folder.Run.Scenario);

    /// <summary>Every claim of an experiment, judged at each level of the run and for all together.</summary>
    public IReadOnlyList<ClaimResult> Judge(IEnumerable<Claim> claims) => [.. claims.Select(Judge)];

    private ClaimResult Judge(Claim claim)
    {
        LevelVerdict[] levels = [.. folder.Run.Scenario.Levels.Select(level => new LevelVerdict(level, claim.At(level, this)))];
        return new ClaimResult(claim, claim.Together(levels), levels);
    }
}

/// <summary>
/// In a contrast a metric's ratio second/first is at most so much. It holds where the whole 95 % interval of the judged unit is, and is
/// refuted where none of the interval is.
/// </summary>
/// <param name="Most">The largest ratio that it allows.</param>
public sealed record RatioClaim(string Id, string Text, Metric Metric, Contrast Contrast, double Most, bool Required = false)
    : Claim(Id, Text, Required)
{
    /// <summary>The levels of which it is claimed, in words, such as <c>large messages</c>; null: all.</summary>
    public string? Of { get; init; }

    public Func<Level, bool> IsOf { get; init; } = _ => true;

    public int LeastCount { get; init; } = Decision.LeastCount;

    /// <summary>Blocks that a verdict needs: 1 against a server that the run does not start, whose iterations are all one block.</summary>
    public int LeastBlocks { get; init; } = Comparison.LeastBlocks;

    protected override string OfNoLevel => $"claimed of {Of} only";

    public override Verdict At(Level level, ClaimEvidence evidence)
    {
        if (!IsOf(level))
            return Verdict.NotTestable(OfNoLevel) with { IsClaimed = false };
        if (!evidence.IsValid)
            return Verdict.NotTestable("the run is invalid");
        if (evidence.Saturated(Contrast, level) is { } what)
            return Verdict.NotTestable(what);
        if (evidence.Row(Metric, Contrast, level) is not { } row)
            return Verdict.NotTestable($"{Contrast.First} and {Contrast.Second} were not both run");
        if (row.Count < LeastCount || row.Blocks < LeastBlocks)
            return Verdict.NotJudged(
                $"n is {Format.Whole(row.Count)} in {Format.Count(row.Blocks, "block")}, and a verdict needs "
                    + $"{Format.Whole(LeastCount)} in {Format.Whole(LeastBlocks)}");
        if (row.Judged.Ratio95 is not { } interval)
            return Verdict.NotTestable($"the ratio has no interval: {Contrast.First} is not clear of 0, or neither arm varies");
        var reason = $"R is {Format.Ratio(row.Ratio)}, 95 % {Format.Range(interval, Format.Ratio)}";
        return interval.High <= Most ? Verdict.Holding(reason)
            : interval.Low > Most ? Verdict.Refuted(reason)
            : Verdict.Inconclusive(reason);
    }
}

/// <summary>
/// A value lies within a band, at the levels that have one: the ratio of a contrast, or the mean of an arm. Judged on iterations: it holds
/// where the whole interval lies within the band, and is refuted where none of it does. Each end of the interval is one-sided.
/// </summary>
/// <param name="Band">Where it must lie; null: nothing is claimed of this level.</param>
public sealed record BandClaim(
    string Id, string Text, Func<ClaimEvidence, Level, BandReading> Read, Func<ClaimEvidence, Level, Interval?> Band, bool Required = false)
    : Claim(Id, Text, Required)
{
    /// <summary>The confidence of each end of an interval.</summary>
    public const double OneSided = 0.99;

    private static readonly Verdict NotClaimed = new("not claimed", true, "nothing is claimed of this level") { IsClaimed = false };

    public override Verdict At(Level level, ClaimEvidence evidence)
    {
        if (Band(evidence, level) is not { } band)
            return NotClaimed;
        if (!evidence.IsValid)
            return Verdict.NotTestable("the run is invalid");
        var read = Read(evidence, level);
        if (read.Value is not { } value)
            return Verdict.NotTestable("an arm was not run, or delivered nothing");
        var found = $"{Format.Ratio(value)}, claimed are {Words(band)}";
        if (read.Count < Comparison.LeastBlocks || read.Interval is not { } interval)
            return Verdict.NotJudged(
                $"{found}; n is {Format.Whole(read.Count)}, and a verdict needs {Format.Whole(Comparison.LeastBlocks)}, each in a block "
                    + "of its own");
        var reason = $"{found}; interval {Format.Range(interval, Format.Ratio)}";
        return interval.Low >= band.Low && interval.High <= band.High ? Verdict.Holding(reason)
            : interval.High < band.Low || interval.Low > band.High ? Verdict.Refuted(reason)
            : Verdict.Inconclusive(reason);
    }

    private static string Words(Interval band) => double.IsPositiveInfinity(band.High)
        ? $"{Format.Ratio(band.Low)} or more"
        : Format.Range(band, Format.Ratio);
}

/// <summary>A value of a run at a level.</summary>
/// <param name="Value">Null: there is none.</param>
/// <param name="Interval">Each end at <see cref="BandClaim.OneSided"/>. Null: too few iterations.</param>
/// <param name="Count">Iterations in blocks of their own.</param>
public sealed record BandReading(double? Value, Interval? Interval, int Count)
{
    // A two-sided interval whose ends are one-sided.
    private const double Confidence = (2 * BandClaim.OneSided) - 1;

    /// <summary>The ratio of the means of two arms, second/first, which ran in the same iterations.</summary>
    public static BandReading OfRatio(ClaimEvidence evidence, Metric metric, Contrast contrast, Level level)
    {
        var readings = evidence.Readings(metric, contrast, level);
        var pairs = readings.BlockMeans;
        return pairs.Count == 0
            ? new(null, null, 0)
            : new(
                pairs.Average(pair => pair.Second) / pairs.Average(pair => pair.First),
                readings.PossibleOf(Ratio.PairedFieller(pairs, Confidence)), pairs.Count);
    }

    public static BandReading OfMean(ClaimEvidence evidence, Metric metric, string arm, Level level)
    {
        var blocks = Moments.Compute([.. evidence.Readings(metric, new Contrast(arm, arm), level).BlockMeans.Select(pair => pair.First)]);
        return blocks.Count == 0
            ? new(null, null, 0)
            : new(blocks.Mean, PairedTest.Difference(blocks, Confidence), blocks.Count);
    }
}

/// <summary>
/// Something does not happen to any message of some arms. A count is exact: one is enough to refute it, in a run of any size, and a run
/// that is too small for other verdicts says that it holds so far.
/// </summary>
/// <param name="Arms">Of which it is claimed; those that are not run are passed over.</param>
/// <param name="What">The counted event, such as <c>lost</c>.</param>
/// <param name="Count">How often it happened in one arm at one level.</param>
public sealed record CountClaim(
    string Id, string Text, IReadOnlyList<string> Arms, string What, Func<ArmLevel, long> Count, bool Required = false)
    : Claim(Id, Text, Required)
{
    /// <summary>The only flow whose messages are counted; null: all that are judged.</summary>
    public Flow? Flow { get; init; }

    /// <summary>The levels of which it is claimed, in words, such as <c>resuming clients</c>; null: all.</summary>
    public string? Of { get; init; }

    public Func<Level, bool> IsOf { get; init; } = _ => true;

    /// <summary>How many there are that it could have happened to; by itself all attempts.</summary>
    public Func<ArmLevel, long> Among { get; init; } = level => level.Buckets.Attempts;

    public override Verdict At(Level level, ClaimEvidence evidence)
    {
        if (!evidence.IsValid)
            return Verdict.NotTestable("the run is invalid");
        if (!IsOf(level))
            return Verdict.NotTestable($"claimed of {Of} only") with { IsClaimed = false };
        ArmLevel[] arms =
        [
            .. from name in Arms
               let arm = evidence.Of(name, level)
               where arm.Rows.Count > 0
               select Flow is null ? arm : arm.Only(Flow.Name),
        ];
        if (arms.Length == 0)
            return Verdict.NotTestable($"{string.Join(", ", Arms)} were not run");
        var counts = arms.Select(arm => (Arm: arm, Count: Count(arm))).ToArray();
        if (Array.Exists(counts, one => one.Count > 0))
            return Verdict.Refuted(string.Join(", ", counts.Where(one => one.Count > 0).Select(one =>
                $"{one.Arm.Arm}: {Format.Whole(one.Count)} of {Format.Whole(Among(one.Arm))} {What}")));
        var reason = $"none of {Format.Whole(arms.Sum(Among))} {What}";
        return evidence.IsComplete && Array.TrueForAll(arms, IsLarge) ? Verdict.Holding(reason) : Verdict.HoldingSoFar(reason);
    }

    // Whether there are enough iterations for "holds", and not "holds so far" alone.
    internal static bool IsLarge(ArmLevel arm) => arm.Rows.Count >= Decision.LeastCount
        && arm.Rows.Select(row => row.Block).Distinct().Count() >= Comparison.LeastBlocks;
}

/// <summary>
/// An arm holds some of the offered rates, as a <see cref="KneeRule"/> says, in every iteration. A run that is too small for other verdicts
/// says that it holds so far; where the core of the load was the limit, the run does not decide.
/// </summary>
/// <param name="Limit">Of the p99 latency.</param>
public sealed record HeldRateClaim(
    string Id, string Text, string Arm, KneeRule Rule, KneeLimit Limit, Func<Scenario, Level, bool> IsAbout) : Claim(Id, Text)
{
    protected override string OfNoLevel => "no level is one that it is about";

    public override Verdict At(Level level, ClaimEvidence evidence)
    {
        var run = evidence.Folder.Run;
        if (!IsAbout(run.Scenario, level))
            return new Verdict("not claimed", null, "the claim is about other levels") { IsClaimed = false };
        if (!evidence.IsValid)
            return Verdict.NotTestable("the run is invalid");
        var arm = evidence.Of(Arm, level);
        if (arm.Rows.Count == 0)
            return Verdict.NotTestable($"{Arm} was not run");
        if (arm.Rows.FirstOrDefault(row => !Rule.Holds(row, Limit)) is { } failed)
        {
            var why = Rule.WhyNot(failed, Limit)!;
            return Validity.LoadCoreShare(run, failed) >= Validity.LargestCoreShare
                ? Verdict.Inconclusive($"{why}, and the load's own core was the limit")
                : Verdict.Refuted(why);
        }

        var reason = $"p99 at most {Format.Short(arm.Rows.Max(row => row.Latency.P99) / 1000)} ms, none of "
            + $"{Format.Whole(arm.Buckets.Attempts)} lost";
        return evidence.IsComplete && CountClaim.IsLarge(arm) ? Verdict.Holding(reason) : Verdict.HoldingSoFar(reason);
    }
}
