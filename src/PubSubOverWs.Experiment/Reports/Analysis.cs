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

    /// <summary>Tests of a run that a list of runs tells beside each other, and corrects for how many there are.</summary>
    public Func<RunFolder, IReadOnlyList<ListedTest>> Listed { get; init; } = _ => [];

    /// <summary>The report of a run of the experiment.</summary>
    public ReportFiles ReportOf(RunFolder folder) => OwnReport is { } own ? own(folder) : StandardReport.Make(folder, this);
}

/// <summary>A test of one run, as a list of runs tells it.</summary>
/// <param name="Claim">What is tested, in a few words; alike in all runs of which it is.</param>
/// <param name="P">Of this run alone; null: it was not testable.</param>
/// <param name="WordAt">What was decided, at a p that was corrected.</param>
public sealed record ListedTest(string Claim, double? P, Func<double, string> WordAt);

/// <summary>The text of report.md, report.json, report.html and report.csv; line ends are \n everywhere.</summary>
public sealed record ReportFiles(string Markdown, string Json, string Html, string Csv)
{
    /// <summary>Each file's name in the folder, and its text.</summary>
    public IReadOnlyList<(string Name, string Text)> Named =>
        [("report.md", Markdown), ("report.json", Json), ("report.html", Html), ("report.csv", Csv)];
}
