using PubSubOverWs.Experiment.Claims.Standard;
using PubSubOverWs.Experiment.Metrics;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>What is read from the records of an experiment: its second half.</summary>
/// <param name="Metrics">What the standard report shows and compares, in this order.</param>
public sealed record Analysis(IReadOnlyList<Metric> Metrics)
{
    /// <summary>What is claimed before a run, in this order.</summary>
    public IReadOnlyList<Claim> Claims { get; init; } = [];

    /// <summary>Makes the experiment's own report; null: it has the standard one.</summary>
    public Func<RunFolder, ReportFiles>? OwnReport { get; init; }

    /// <summary>The report of a run of the experiment.</summary>
    public ReportFiles ReportOf(RunFolder folder) => OwnReport is { } own ? own(folder) : StandardReport.Make(folder, this);
}

/// <summary>The text of report.md, report.json, report.html and report.csv; line ends are \n everywhere.</summary>
public sealed record ReportFiles(string Markdown, string Json, string Html, string Csv)
{
    /// <summary>Each file's name in the folder, and its text.</summary>
    public IReadOnlyList<(string Name, string Text)> Named =>
        [("report.md", Markdown), ("report.json", Json), ("report.html", Html), ("report.csv", Csv)];
}
