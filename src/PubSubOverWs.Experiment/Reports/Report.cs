using System.Text;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>
/// Makes a report from a record folder. It reads run.json, iterations.csv, events.csv and the logs of latency/, never samples/, the clock or the machine, so
/// that the same folder gives the same bytes anywhere.
/// </summary>
public static class Report
{
    /// <exception cref="RecordException">The folder cannot be used.</exception>
    public static ReportFiles Make(string folder) => Make(RecordReader.Read(folder));

    public static ReportFiles Make(RunFolder folder)
    {
        var model = ReportBuilder.Build(folder);
        return new ReportFiles(ReportMarkdown.Write(model), ReportJson.Write(model), ReportHtml.Write(model), ReportCsv.Write(model));
    }

    /// <summary>Makes the report and writes report.md, report.json, report.html and report.csv into the folder, and the distributions of latency/.</summary>
    /// <returns>What was written.</returns>
    /// <exception cref="RecordException">The folder cannot be used; nothing was written.</exception>
    public static ReportFiles Write(string folder) => Write(folder, RecordReader.Read(folder));

    /// <summary>As <see cref="Write(string)"/>, of a folder that was read already.</summary>
    public static ReportFiles Write(string folder, RunFolder record)
    {
        var files = Make(record);
        var utf8 = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
        foreach (var (name, text) in files.Named)
            File.WriteAllText(Path.Combine(folder, name), text, utf8);
        foreach (var (path, text) in PercentileTexts.Of(folder, record))
            File.WriteAllText(path, text, utf8);
        return files;
    }
}
