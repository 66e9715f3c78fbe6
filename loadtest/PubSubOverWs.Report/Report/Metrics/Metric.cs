namespace PubSubOverWs.Report.Metrics;

/// <summary>A number that tables, gates and comparisons use.</summary>
/// <param name="Reading">
/// The value of one iteration, in the unit of the record: a share, or time in microseconds. Null: it is of a whole level only.
/// </param>
public sealed record Metric(string Name, MetricUnit Unit, Func<Scenario, IterationRow, double?>? Reading)
{
    /// <summary>False: exploratory; shown with an uncorrected p, and judged by nothing.</summary>
    public bool Primary { get; init; }

    /// <summary>As it is written behind an arm in a gate; empty: no gate asks for it.</summary>
    public string Gate { get; init; } = "";

    /// <summary>Of one arm at one level, exactly, for gates. Null: this level does not carry it, and the gate does not pass.</summary>
    public Func<Scenario, ArmLevel, Quotient?> Count { get; init; } = (_, _) => null;

    /// <summary>Samples that an iteration must have; with fewer it has no value.</summary>
    public int LeastSamples { get; init; }

    /// <summary>True: it counts acknowledged messages, so it has no value in a run without receipts.</summary>
    public bool NeedsReceipts { get; init; }

    /// <summary>Why a level may not carry it: half a sentence.</summary>
    public string Missing { get; init; } = "";

    /// <summary>The outcome that a rate counts.</summary>
    public string Counted { get; init; } = "lost";

    /// <summary>The margin within which <c>compare</c> calls two runs equivalent in it.</summary>
    public Func<Margins, Margin?> MarginOf { get; init; } = _ => null;

    /// <summary>True: a trial has it once, whatever its flows are; it is of none of them.</summary>
    public bool IsOfTrial { get; init; }

    /// <inheritdoc cref="Measure.MayBeNegative"/>
    public bool MayBeNegative { get; init; }

    /// <summary>True: it is a rate of counts, which a baseline settles exactly.</summary>
    public bool IsCounted => Unit == MetricUnit.Percent;

    /// <summary>True: it can be compared with a baseline, as an exact rate or by its readings.</summary>
    public bool CanBeCompared => IsCounted || Reading is not null;

    /// <summary>The same of one flow; by itself it is of all flows that are judged, and a latency of the first of them.</summary>
    /// <exception cref="InvalidOperationException">It is of the whole trial.</exception>
    public Metric Of(Flow flow) => IsOfTrial
        ? throw new InvalidOperationException($"{Name} is of a whole trial, and not of the flow {flow.Name}.")
        : this with
        {
            Name = $"{flow.Name}: {Name}",
            Gate = $"{flow.Name}.{Gate}",
            Reading = Reading is { } reading ? (scenario, row) => reading(scenario, row.Only(flow.Name)) : null,
            Count = (scenario, level) => Count(scenario, level.Only(flow.Name)),
        };

    public static Metric From(Measure measure) => new(
        measure.Text, new MetricUnit(measure.Unit, 1), (_, row) => row.Measures.GetValueOrDefault(measure.Name))
    { IsOfTrial = true, MayBeNegative = measure.MayBeNegative };

    /// <summary>The value of an iteration, in the unit shown; null: it has none.</summary>
    public double? Shown(Scenario scenario, IterationRow row) => Reading?.Invoke(scenario, row) is { } value ? Unit.Shown(value) : null;

    /// <summary>An exact value of it, for a sentence.</summary>
    public string Format(Quotient value) => Unit.Format(value);
}

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
