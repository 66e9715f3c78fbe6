using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Analyses;
using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Compare;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Gates;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>
/// What <c>run</c> ends with and <c>report</c> consists of: report, validity, claims, gates, exit code; all from the files.
/// </summary>
public static class Conclusion
{
    /// <param name="folder">The record.</param>
    /// <param name="gates">Beside those of the scenario.</param>
    /// <param name="baseline">The record that gates which name a baseline hold it against; null: they are not decided.</param>
    /// <param name="junit">Where the gates go as JUnit XML; null: nowhere.</param>
    /// <param name="terminal">Gets the findings.</param>
    /// <param name="noise">A/A runs that the record is held against from now on; null: those that it was held against before.</param>
    /// <exception cref="RecordException">The record, the baseline or an A/A run cannot be used; nothing was written.</exception>
    public static async Task<ExitCode> DrawAsync(
        string folder, IEnumerable<string> gates, string? baseline, string? junit, Terminal terminal, IReadOnlyList<string>? noise = null)
    {
        var record = RecordReader.Read(folder);
        var scenario = record.Run.Scenario;
        Gate[] asked = [.. Gate.Of(scenario), .. gates.Select(text => Gate.Parse(text, scenario))];
        var before = BaselineFolder.Read(baseline, asked);
        if (noise is { Count: > 0 })
        {
            record = record with { Noise = NoiseFloors.Of(record, noise.Select(path => (NameOf(path), RecordReader.Read(path)))) };
            RecordWriter.Replace(folder, record.Noise!);
        }

        Report.Write(folder, record);
        await terminal.Output.WriteLineAsync(
            $"report     {Path.Combine(folder, "report.md")}{(record.Run.Complete ? "" : " (of a run that is not complete)")}");
        await terminal.Output.WriteLineAsync(ChecksumLine.Of(folder, Checksums.CheckReported(folder)));
        var invalid = Validity.Check(record).Where(check => check.Holds == false).Select(check => $"{check.Name}: {check.Detail}").ToList();
        foreach (var check in invalid)
            await terminal.Output.WriteLineAsync($"INVALID    {check}");
        var results = GateCheck.Check(record, asked, before);
        var itself = NoiseFloors.FoundBy(record) is { Passes: false }
            ? "the A/A criterion: two instances of one server differ more often than chance lets them, or could not be tested; see the "
                + "report"
            : null;
        if (itself is not null)
            await terminal.Output.WriteLineAsync($"FAILED     {itself}");
        var claims = AnalysisList.Judge(record);
        await GateOutputs.WriteAsync(scenario.Name, itself is null ? invalid : [.. invalid, itself], results, claims, junit, terminal);
        var code = GateCheck.ExitCodeOf(record, results);
        return code == ExitCode.Success && (itself is not null || claims.Any(claim => claim.Fails)) ? ExitCode.GateFailed : code;
    }

    private static string NameOf(string folder) => Path.GetFileName(Path.TrimEndingDirectorySeparator(folder));
}
