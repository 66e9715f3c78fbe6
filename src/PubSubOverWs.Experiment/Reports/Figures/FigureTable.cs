namespace PubSubOverWs.Experiment.Reports.Figures;

/// <summary>What a figure draws, as a table.</summary>
/// <param name="Title">What is in it.</param>
/// <param name="Columns">Their headings.</param>
/// <param name="Rows">As many cells each as there are columns.</param>
internal sealed record FigureTable(string Title, IReadOnlyList<string> Columns, IReadOnlyList<IReadOnlyList<string>> Rows);
