namespace PubSubOverWs.Experiment.Comparing;

/// <summary>One arm of two runs in one metric; Holm's correction is over its rows.</summary>
/// <param name="Arm">As the scenario names it.</param>
/// <param name="Metric">What was compared.</param>
/// <param name="Unit">Of the means.</param>
/// <param name="Primary">False: exploratory, p is not corrected and no row has a word.</param>
/// <param name="Margin">As the scenario has it; null: it has none, and nothing is shown to be equivalent.</param>
/// <param name="Rows">One for each level that both runs have.</param>
public sealed record ComparedTable(string Arm, string Metric, string Unit, bool Primary, string? Margin, IReadOnlyList<ComparedRow> Rows);
