namespace PubSubOverWs.Experiment.Reports;

/// <summary>The text of report.md and of report.json; line ends are \n everywhere.</summary>
public sealed record ReportFiles(string Markdown, string Json);
