using PubSubOverWs.Report;
using PubSubOverWs.Report.Compare;
using PubSubOverWs.Report.Gates;
using PubSubOverWs.Report.Results;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>
/// The end of <c>run</c>, and all of <c>report</c>: report, figures, validity, verdicts, gates, exit code, from the files alone.
/// </summary>
public static class Conclusion
{
    /// <param name="gates">In addition to those of the scenario.</param>
    /// <param name="baseline">The record for gates that refer to a baseline; null: those gates are not decided.</param>
    /// <param name="junit">The file for the gates as JUnit XML; null: none.</param>
    /// <param name="noise">A/A runs that give the record its noise floor; null or empty: it keeps the one that it has.</param>
    /// <param name="request">The run that has ended; null: the record is all that is known.</param>
    /// <exception cref="RecordException">The record, the baseline or an A/A run cannot be used; nothing was written.</exception>
    public static async Task<ExitCode> DrawAsync(
        string folder, IEnumerable<string> gates, string? baseline, string? junit, IReadOnlyList<string>? noise, Terminal terminal,
        CancellationToken cancellationToken, RunRequest? request = null)
    {
        var record = noise is { Count: > 0 } ? RecordReader.ReadWithoutNoise(folder) : RecordReader.Read(folder);
        var scenario = record.Run.Scenario;
        Gate[] asked = [.. Gate.From(scenario), .. gates.Select(text => Gate.Parse(text, scenario))];
        var before = BaselineFolder.Read(baseline, asked);
        if (noise is { Count: > 0 })
        {
            record = record with { Noise = NoiseFloors.From(record, noise.Select(path => (NameOf(path), RecordReader.Read(path)))) };
            RecordWriter.Replace(folder, record.Noise!);
        }

        var report = ReportFolder.Write(folder, record);
        var summary = RunSummary.From(record);
        await terminal.Output.WriteAsync(summary.Table(terminal.Width).ReplaceLineEndings());
        var invalid = await CheckAsync(record, terminal);
        foreach (var verdict in report.Verdicts)
            await terminal.WriteAsync("verdict", verdict.Sentence);
        var results = GateCheck.Check(record, asked, before);
        var itself = NoiseFloors.FoundBy(record) is { Passes: false }
            ? "the A/A criterion: two instances of one server differ more often than by chance, or could not be tested; "
                + "see the report"
            : null;
        if (itself is not null)
            await terminal.WriteAsync("FAILED", itself, Tone.Bad);
        var claims = AnalysisList.Judge(record);
        await GateOutputs.WriteAsync(
            scenario.Name, itself is null ? invalid : [.. invalid, itself], results, claims, junit, terminal, cancellationToken);
        await terminal.WriteAsync("meaning", summary.Meaning);
        await EndAsync(folder, record, request, terminal);
        var code = GateCheck.ExitCodeOf(record, results);
        return code == ExitCode.Success && (itself is not null || claims.Any(claim => claim.Fails)) ? ExitCode.GateFailed : code;
    }

    private static async Task<IReadOnlyList<string>> CheckAsync(RunFolder record, Terminal terminal)
    {
        var checks = Validity.Check(record);
        string[] invalid = [.. checks.Where(check => check.Holds == false).Select(check => $"{check.Name}: {check.Detail}")];
        foreach (var check in invalid)
            await terminal.WriteAsync("INVALID", check, Tone.Bad);
        if (invalid.Length == 0)
            await terminal.WriteAsync(
                "valid",
                $"{checks.Count(check => check.Holds == true)} checks of the run hold, "
                    + $"{checks.Count(check => check is { Holds: null, IsWarning: false })} do not apply to it",
                Tone.Good);
        foreach (var check in checks.Where(check => check.IsWarning))
            await terminal.WriteAsync("warning", $"{check.Name}: {check.Detail}");
        return invalid;
    }

    private static async Task EndAsync(string folder, RunFolder record, RunRequest? request, Terminal terminal)
    {
        var page = Path.GetFullPath(Path.Combine(folder, "report.html"));
        await terminal.Output.WriteLineAsync(ChecksumLine.Text(folder, Checksums.CheckReported(folder)));
        await terminal.WriteAsync("report", $"{page}{(record.Run.Complete ? "" : " (of a run that is not complete)")}");
        await terminal.WriteAsync("", new Uri(page).AbsoluteUri);
        await terminal.WriteAsync("next", NextStep.Text(folder, record, request));
    }

    /// <summary>The name of a record folder, without its path.</summary>
    public static string NameOf(string folder) => Path.GetFileName(Path.TrimEndingDirectorySeparator(folder));
}
