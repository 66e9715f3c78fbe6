namespace PubSubOverWs.Report.Metrics;

/// <summary>The unit of a metric.</summary>
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

/// <summary>A measured value as a quotient, so that counts are compared exactly and nothing is rounded.</summary>
/// <param name="Numerator">Such as messages lost.</param>
/// <param name="Denominator">Such as messages sent; positive, and 1 if it is no rate.</param>
public readonly record struct Quotient(decimal Numerator, decimal Denominator)
{
    public decimal Value => Numerator / Denominator;

    /// <summary>Null: divided by zero.</summary>
    public static Quotient? Divide(Quotient left, Quotient right) =>
        right.Numerator <= 0 ? null : new Quotient(left.Numerator * right.Denominator, left.Denominator * right.Numerator);

    /// <summary>Below zero, zero or above: as this is less than, equal to or more than <paramref name="limit"/>.</summary>
    public int CompareTo(decimal limit) => Numerator.CompareTo(limit * Denominator);
}
