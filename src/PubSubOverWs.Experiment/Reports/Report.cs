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
        var texts = files.Named.Select(one => (Path: Path.Combine(folder, one.Name), one.Text)).Concat(PercentileTexts.Of(folder, record)).ToArray();
        if (Array.Find(texts, one => Directory.Exists(one.Path)) is { Path: { } taken })
            throw new RecordException($"{Path.GetFileName(taken)} is a folder where the report must have a file: take it away, and make the report again.");
        var utf8 = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
        foreach (var (path, text) in texts)
            File.WriteAllText(path, text, utf8);
        return files;
    }
}
