using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports;

namespace PubSubOverWs.Experiment.Experiments.Paper;

/// <summary>The report of the first experiment: the paper's tables, and of a run under a fault what it did.</summary>
internal static class PaperReport
{
    public static Analysis Analysis { get; } = new([]) { OwnReport = Make };

    private static ReportFiles Make(RunFolder folder)
    {
        var model = ReportBuilder.Build(folder);
        return new ReportFiles(ReportMarkdown.Write(model), ReportJson.Write(model), ReportHtml.Write(model), ReportCsv.Write(model));
    }
}
