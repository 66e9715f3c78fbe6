using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Metrics;

/// <summary>A number that tables, gates and comparisons use.</summary>
/// <param name="Name">As tables call it.</param>
/// <param name="Unit">What it is shown in.</param>
/// <param name="Reading">
/// What one iteration says of it, in the unit of the record: a share, or time in microseconds. Null: it is of a whole level only.
/// </param>
public sealed record Metric(string Name, MetricUnit Unit, Func<Scenario, IterationRow, double?>? Reading)
{
    /// <summary>False: exploratory; shown with an uncorrected p, and judged by nothing.</summary>
    public bool Primary { get; init; }

    /// <summary>As it is written behind an arm in a gate; empty: no gate asks for it.</summary>
    public string Gate { get; init; } = "";

    /// <summary>Of one arm at one level, exactly, for gates. Null: this level does not carry it, and the gate does not pass.</summary>
    public Func<Scenario, ArmLevel, Quotient?> Count { get; init; } = (_, _) => null;

    /// <summary>Why a level may not carry it: half a sentence.</summary>
    public string Missing { get; init; } = "";

    /// <summary>Within what two runs are equivalent in it.</summary>
    public Func<Margins, Margin?> MarginOf { get; init; } = _ => null;

    /// <summary>True: it is a rate of counts, which a baseline settles exactly.</summary>
    public bool IsCounted => Unit == MetricUnit.Percent;

    /// <summary>True: it can be held against a baseline, as an exact rate or by its readings.</summary>
    public bool CanBeCompared => IsCounted || Reading is not null;

    /// <summary>What an iteration reads, in the unit shown. Null: it has no such value.</summary>
    public double? Shown(Scenario scenario, IterationRow row) => Reading?.Invoke(scenario, row) is { } value ? Unit.Shown(value) : null;

    /// <summary>An exact value of it, for a sentence.</summary>
    public string Format(Quotient value) => Unit.Format(value);
}
