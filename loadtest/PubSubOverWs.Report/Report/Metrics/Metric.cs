namespace PubSubOverWs.Report.Metrics;

/// <summary>A number that tables, gates and comparisons use.</summary>
/// <param name="Name">As tables call it.</param>
/// <param name="Unit">As it is shown.</param>
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

    /// <summary>A measure of an experiment as a metric of it.</summary>
    public static Metric Of(Measure measure) => new(
        measure.Text, new MetricUnit(measure.Unit, 1), (_, row) => row.Measures.GetValueOrDefault(measure.Name))
    { IsOfTrial = true, MayBeNegative = measure.MayBeNegative };

    /// <summary>The value of an iteration, in the unit shown; null: it has none.</summary>
    public double? Shown(Scenario scenario, IterationRow row) => Reading?.Invoke(scenario, row) is { } value ? Unit.Shown(value) : null;

    /// <summary>An exact value of it, for a sentence.</summary>
    public string Format(Quotient value) => Unit.Format(value);
}
