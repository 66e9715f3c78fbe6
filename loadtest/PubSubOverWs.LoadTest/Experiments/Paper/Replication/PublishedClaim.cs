using PubSubOverWs.LoadTest.Experiments.Paper.Published;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>
/// The claim of the paper about one row: a direction and a size, asked one after the other. Both are on a scale on which no effect is 0:
/// ln R for latency, percentage points for loss.
/// </summary>
/// <param name="Effect">The published effect of pubsub over direct; its sign is the direction.</param>
/// <param name="Margin">Effects within it are as good as none.</param>
/// <param name="IsClaimed">False: the paper calls the difference at this level not significant.</param>
/// <param name="Scale">Where the effect of a row is read.</param>
public sealed record PublishedClaim(double Effect, Interval Margin, bool IsClaimed, EffectScale Scale)
{
    /// <summary>An interval of the published size has both ends within this factor of it: a wider one would hold any size.</summary>
    public const double Factor = 2;

    /// <summary>Ratios of latency within 1 % of 1 are alike.</summary>
    public const double LatencyMargin = 0.01;

    /// <summary>H2: pubsub is slower.</summary>
    /// <param name="published">A row of Table III.</param>
    public static PublishedClaim Latency(PublishedRow published) =>
        new(Math.Log(published.Ratio), EffectScale.MarginOfRatio(LatencyMargin), published.Significant, EffectScale.Ratio);

    /// <summary>H1b: pubsub loses less. Loss rates within half the published difference are alike.</summary>
    /// <param name="published">A row of Table I, with a loss of the direct server.</param>
    public static PublishedClaim Less(PublishedLoss published)
    {
        var effect = published.PubSub.Loss - published.Direct.Loss;
        return new(effect, new Interval(-Math.Abs(effect) / 2, Math.Abs(effect) / 2), true, EffectScale.Difference);
    }

    /// <summary>The direction that one way of testing finds. Alike is asked first, however small p is.</summary>
    public Direction DirectionOf(Evidence evidence) => evidence switch
    {
        _ when Scale.Interval90(evidence)?.Inside(Margin.Low, Margin.High) == true => Direction.Alike,
        { HolmP: < Decision.Alpha } => evidence.Sign == Math.Sign(Effect) ? Direction.AsClaimed : Direction.Opposite,
        _ => Direction.Open,
    };

    /// <summary>The size, where the direction is as claimed.</summary>
    public Size SizeOf(Evidence evidence) => SizeOf(Scale.Interval95(evidence), Effect);

    /// <param name="interval">The 95 % interval of the effect; null: it has no end.</param>
    /// <param name="published">Not 0.</param>
    public static Size SizeOf(Interval? interval, double published) => interval switch
    {
        null => Size.TooCoarse,
        { } known when !known.Contains(published) => Size.Other,
        { } known => IsNear(known.Low / published) && IsNear(known.High / published) ? Size.AsPublished : Size.TooCoarse,
    };

    private static bool IsNear(double share) => share is >= 1 / Factor and <= Factor;
}

/// <summary>A scale on which no effect is 0, and an effect twice as large is twice as far from it.</summary>
/// <param name="Effect">Of a row; null: it has none.</param>
/// <param name="Interval95">Of the effect; null: it has no end.</param>
/// <param name="Interval90">As <paramref name="Interval95"/>.</param>
public sealed record EffectScale(
    Func<Comparison, double?> Effect, Func<Evidence, Interval?> Interval95, Func<Evidence, Interval?> Interval90)
{
    /// <summary>ln R.</summary>
    public static EffectScale Ratio { get; } = new(
        row => row.Ratio is > 0 and var ratio ? Math.Log(ratio) : null,
        evidence => Log(evidence.Ratio95),
        evidence => Log(evidence.Ratio90));

    /// <summary>second - first.</summary>
    public static EffectScale Difference { get; } = new(
        row => row.Second.Mean - row.First.Mean, evidence => evidence.Difference95, evidence => evidence.Difference90);

    /// <summary>R between 1 - margin and 1 + margin.</summary>
    public static Interval MarginOfRatio(double margin) => new(Math.Log(1 - margin), Math.Log(1 + margin));

    // A low end of 0 is not clear of 0: its logarithm has no end either, and lies outside of every margin.
    private static Interval? Log(Interval? ratio) => ratio is { } known ? new(Math.Log(known.Low), Math.Log(known.High)) : null;
}
