using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Analyses;
using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Compare;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Gates;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>The end of <c>run</c>, and all of <c>report</c>: report, validity, claims, gates, exit code, from the files alone.</summary>
public static class Conclusion
{
    /// <param name="gates">In addition to those of the scenario.</param>
    /// <param name="baseline">The record for gates that refer to a baseline; null: those gates are not decided.</param>
    /// <param name="junit">The file for the gates as JUnit XML; null: none.</param>
    /// <param name="noise">A/A runs that give the record its noise floor; null or empty: it keeps the one that it has.</param>
    /// <exception cref="RecordException">The record, the baseline or an A/A run cannot be used; nothing was written.</exception>
    public static async Task<ExitCode> DrawAsync(
        string folder, IEnumerable<string> gates, string? baseline, string? junit, IReadOnlyList<string>? noise, Terminal terminal,
        CancellationToken cancellationToken)
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
            ? "the A/A criterion: two instances of one server differ more often than by chance, or could not be tested; "
                + "see the report"
            : null;
        if (itself is not null)
            await terminal.Output.WriteLineAsync($"FAILED     {itself}");
        var claims = AnalysisList.Judge(record);
        await GateOutputs.WriteAsync(
            scenario.Name, itself is null ? invalid : [.. invalid, itself], results, claims, junit, terminal, cancellationToken);
        var code = GateCheck.ExitCodeOf(record, results);
        return code == ExitCode.Success && (itself is not null || claims.Any(claim => claim.Fails)) ? ExitCode.GateFailed : code;
    }

    private static string NameOf(string folder) => Path.GetFileName(Path.TrimEndingDirectorySeparator(folder));
}
