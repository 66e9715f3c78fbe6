using System.Globalization;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>What a run of one target came to.</summary>
/// <param name="LiveBefore">Bytes that were alive after a forced collection when a tenth was done.</param>
/// <param name="LiveAfter">The same at the end.</param>
internal sealed record FuzzFigures(string Target, string Unit, long Count, long Steps, TimeSpan Elapsed, long LiveBefore, long LiveAfter)
{
    /// <summary>More than this share of growth is a leak, where it is more than a mebibyte.</summary>
    public const double MostGrowth = 0.05;

    public double Growth => ((double)LiveAfter / LiveBefore) - 1;

    /// <summary>Below so many bytes of growth it is caches that fill late.</summary>
    private const long Caches = 1 << 20;

    public bool Leaks => Growth > MostGrowth && LiveAfter - LiveBefore > Caches;

    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Target,-9} {Count,12:N0} {Unit,-11} {Steps,11:N0} steps {Elapsed.TotalSeconds,8:N1} s {Count / Elapsed.TotalSeconds,9:N0}/s  live {LiveBefore:N0} -> {LiveAfter:N0} bytes ({Growth:+0.0%;-0.0%})");
}
