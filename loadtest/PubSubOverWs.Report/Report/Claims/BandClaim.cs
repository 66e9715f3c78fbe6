using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Claims;

/// <summary>
/// A value lies within a band, at the levels that have one: the ratio of a contrast, or the mean of an arm. Judged on iterations: it holds
/// where the whole interval lies within the band, and is refuted where none of it does. Each end of the interval is one-sided.
/// </summary>
/// <param name="Id">Short, and unique in its experiment.</param>
/// <param name="Text">The statement.</param>
/// <param name="Read">The value at a level.</param>
/// <param name="Band">Where it must lie; null: nothing is claimed of this level.</param>
/// <param name="Required">True: a run that refutes it fails.</param>
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

    /// <summary>The mean of an arm.</summary>
    public static BandReading OfMean(ClaimEvidence evidence, Metric metric, string arm, Level level)
    {
        var blocks = Moments.Of([.. evidence.Readings(metric, new Contrast(arm, arm), level).BlockMeans.Select(pair => pair.First)]);
        return blocks.Count == 0
            ? new(null, null, 0)
            : new(blocks.Mean, PairedTest.Difference(blocks, Confidence), blocks.Count);
    }
}
