using PubSubOverWs.Report.Documents;

namespace PubSubOverWs.Report.Metrics;

/// <summary>
/// When an arm holds a rate: nothing is lost, nearly everything that is offered is achieved, and the p99 latency stays within a limit. The
/// knee of an arm is the highest rate that it holds together with all lower ones.
/// </summary>
/// <param name="Limits">Of the p99 latency; each gives a knee of its own.</param>
/// <param name="Achieved">What a trial achieved, in the unit of the rate; null: that is not known, and the rate is not held.</param>
public sealed record KneeRule(IReadOnlyList<KneeLimit> Limits, Func<IterationRow, double?> Achieved)
{
    /// <summary>Of the offered rate.</summary>
    public const double LeastAchieved = 0.99;

    /// <summary>True: the trial held the rate of its level.</summary>
    public bool Holds(IterationRow row, KneeLimit limit) => WhyNot(row, limit) is null;

    /// <summary>Half a sentence; null: it held the rate of its level.</summary>
    /// <exception cref="InvalidOperationException">Its level is no rate.</exception>
    public string? WhyNot(IterationRow row, KneeLimit limit)
    {
        var offered = row.Level.Rate ?? throw new InvalidOperationException($"{row.Level} is no rate.");
        if (row.Buckets.Lost > 0)
            return $"{Format.Whole(row.Buckets.Lost)} of {Format.Whole(row.Buckets.Attempts)} lost";
        if (Achieved(row) is not { } achieved)
            return "the achieved rate is not known";
        if (achieved < LeastAchieved * offered)
            return $"{Format.Fixed(achieved, 0)} of {Format.Whole(offered)} achieved";
        return row.Latency.P99 is not { } p99 ? "too few messages for a p99"
            : p99 > limit.P99.TotalMicroseconds ? $"p99 {Format.Short(p99 / 1000)} ms"
            : null;
    }
}

/// <param name="P99">The highest latency with which a rate counts as held.</param>
/// <param name="About">Where it comes from, in a few words; empty: nowhere.</param>
public sealed record KneeLimit(TimeSpan P99, string About = "")
{
    /// <summary>Such as <c>p99 up to 100 ms</c>.</summary>
    public override string ToString() => $"p99 up to {Format.Short(P99.TotalMilliseconds)} ms";
}
