using static System.FormattableString;

namespace PubSubOverWs.Experiment.Metrics;

/// <summary>What a metric is shown in.</summary>
/// <param name="Text">As tables name it.</param>
/// <param name="Per">How many of it one in the unit of the record is.</param>
public sealed record MetricUnit(string Text, double Per)
{
    /// <summary>Of shares.</summary>
    public static MetricUnit Percent { get; } = new("percent of attempts", 100);

    /// <summary>Of microseconds.</summary>
    public static MetricUnit Milliseconds { get; } = new("ms", 0.001);

    public static MetricUnit Microseconds { get; } = new("us", 1);

    public static MetricUnit Bytes { get; } = new("bytes", 1);

    public static MetricUnit Messages { get; } = new("messages", 1);

    public static MetricUnit Kbps { get; } = new("Kbps", 1);

    // Divided, where a multiplication by 0.001 would move the last digit.
    internal double Shown(double value) => this == Milliseconds ? value / 1000 : value * Per;

    internal string Format(Quotient value) =>
        this == Percent ? Invariant($"{value.Value * 100:0.####} %")
        : this == Milliseconds ? Invariant($"{value.Value / 1000:0.###} ms")
        : Invariant($"{value.Value:0.####}");
}
