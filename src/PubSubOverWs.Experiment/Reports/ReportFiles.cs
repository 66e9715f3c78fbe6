namespace PubSubOverWs.Experiment.Reports;

/// <summary>The text of report.md, report.json, report.html and report.csv; line ends are \n everywhere.</summary>
public sealed record ReportFiles(string Markdown, string Json, string Html, string Csv)
{
    /// <summary>Each file's name in the folder, and its text.</summary>
    public IReadOnlyList<(string Name, string Text)> Named =>
        [("report.md", Markdown), ("report.json", Json), ("report.html", Html), ("report.csv", Csv)];
}
