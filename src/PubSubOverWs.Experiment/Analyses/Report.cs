using System.Text;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports;

namespace PubSubOverWs.Experiment.Analyses;

/// <summary>
/// Makes a report from a record folder. It reads run.json, the CSV files and the logs of latency/, never samples/, the clock
/// or the machine, so that the same folder gives the same bytes anywhere.
/// </summary>
public static class Report
{
    private const string New = ".new";
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false);

    /// <exception cref="RecordException">The folder cannot be used.</exception>
    public static ReportFiles Make(string folder) => Make(RecordReader.Read(folder));

    public static ReportFiles Make(RunFolder folder) => AnalysisList.All[folder.Run.Scenario.Kind].ReportOf(folder);

    /// <summary>
    /// Makes the report and writes report.md, report.json, report.html and report.csv into the folder, and the distributions of latency/.
    /// </summary>
    /// <returns>What was written.</returns>
    /// <exception cref="RecordException">The folder cannot be used; nothing was written.</exception>
    public static ReportFiles Write(string folder) => Write(folder, RecordReader.Read(folder));

    /// <summary>As <see cref="Write(string)"/>, of a folder that was read already.</summary>
    public static ReportFiles Write(string folder, RunFolder record)
    {
        var files = Make(record);
        var texts = files.Named.Select(one => (Path: Path.Combine(folder, one.Name), one.Text)).Concat(PercentileTexts.Of(folder, record))
            .ToArray();
        if (Array.Find(texts, one => Directory.Exists(one.Path)) is { Path: { } taken })
            throw new RecordException(
                $"{Path.GetFileName(taken)} is a folder where the report must have a file: take it away, and make the report again.");
        Replace(texts);
        return files;
    }

    // All of them or none: a folder must not hold the halves of two reports. What can fail is done before the first is renamed.
    private static void Replace(IReadOnlyList<(string Path, string Text)> texts)
    {
        var written = new List<string>();
        try
        {
            foreach (var (path, text) in texts)
            {
                // A file that may not be written may yet be renamed over: its owner does not want either.
                if (File.Exists(path))
                    File.OpenWrite(path).Dispose();
                File.WriteAllText(path + New, text, Utf8);
                written.Add(path);
            }
            foreach (var path in written)
                File.Move(path + New, path, overwrite: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new RecordException(
                $"The report cannot be written ({error.Message.TrimEnd('.')}), and the old one stays: see to the rights and the room of "
                    + "its folder.", error);
        }
        finally
        {
            written.ForEach(path => File.Delete(path + New));
        }
    }
}
