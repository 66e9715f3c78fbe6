using System.Globalization;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Latency;

/// <summary>A percentile of many messages.</summary>
/// <param name="Percent">99.9, for example.</param>
/// <param name="Ms">So many percent of the messages were not slower.</param>
/// <param name="Ms95">By bootstrap over iterations; null where there is one only.</param>
public sealed record Percentile(double Percent, double Ms, Interval? Ms95)
{
    /// <summary>For example p99.9.</summary>
    public string Name => NameOf(Percent);

    internal static string NameOf(double percent) => "p" + percent.ToString("0.###", CultureInfo.InvariantCulture);
}
