using System.Globalization;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>The result of a run of one target.</summary>
/// <param name="Live">Bytes that were alive after each part of it; the first part fills caches and pools, and is not held against the
/// rest.</param>
internal sealed record FuzzFigures(string Target, string Unit, long Count, long Steps, TimeSpan Elapsed, IReadOnlyList<long> Live)
{
    /// <summary>More than this share of growth, from the end of the first part to the end of the last, is a leak.</summary>
    public const double MostGrowth = 0.05;

    public double Growth => ((double)Live[^1] / Live[0]) - 1;

    public bool Leaks => Growth > MostGrowth;

    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Target,-9} {Count,12:N0} {Unit,-11} {Steps,11:N0} steps {Elapsed.TotalSeconds,8:N1} s {Count / Elapsed.TotalSeconds,9:N0}/s  "
            + $"live {Live[0]:N0} -> {Live[^1]:N0} bytes ({Growth:+0.0%;-0.0%}; {string.Join(" ", Live)})");
}
