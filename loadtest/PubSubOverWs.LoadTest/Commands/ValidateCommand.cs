using System.CommandLine;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.Report;
using PubSubOverWs.Report.Gates;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>validate DIR...</c>: checks every file of each record.</summary>
public static class ValidateCommand
{
    public static Command Create(Terminal terminal)
    {
        var folders = RecordArgument.Create();
        var command = new Command("validate", "Check every file of a record folder: versions, columns, checksums, and their consistency.")
            { folders };
        command.SetAction((parsed, _) =>
            RecordArgument.EachAsync(parsed.GetRequiredValue(folders), terminal, folder => ValidateAsync(folder, terminal)));
        return command;
    }

    private static async Task<ExitCode> ValidateAsync(string folder, Terminal terminal)
    {
        var record = RecordReader.Read(folder);
        var sums = Checksums.CheckAll(folder);
        CrossChecks.Check(record);
        CheckGates(record);
        var hasSamples = RecordFilesCheck.CheckSamples(folder, record);
        var hasStats = RecordFilesCheck.CheckStats(folder, record);
        var samples = !record.Run.KeepsSamples ? "no samples, which this experiment does not keep"
            : hasSamples ? "samples"
            : "no samples, which committed folders leave out";
        var measured = record.Run.Measures.Count == 0 ? "" : "measures, ";
        await terminal.Output.WriteLineAsync(
            $"{folder}: {record.Rows.Count} iterations, {record.Events.Count} events, {record.Latency.Count} distributions, {measured}"
                + $"{(hasStats ? "server stats" : "no server stats")}, {samples}, {(record.Run.Complete ? "complete" : "not complete")}; "
                + "every file can be read and adds up.");
        await terminal.Output.WriteLineAsync(ChecksumLine.Text(folder, sums));
        await terminal.WriteAsync("reports", CheckReports(folder, record));
        return ExitCode.Success;
    }

    private static void CheckGates(RunFolder record)
    {
        try
        {
            Gate.From(record.Run.Scenario);
        }
        catch (GateException refused)
        {
            throw new RecordException($"run.json has a gate that cannot be judged: {refused.Message}", refused);
        }
    }

    private static string CheckReports(string folder, RunFolder record) => ReportFolder.Compare(folder, record) switch
    {
        { There: 0 } => $"none: report {folder} makes them",
        { Version: { } version, Current: var current } when version != current =>
            $"not compared: report.json is of version {version}, and this program writes version {current}; report {folder} makes it again",
        { Other: [] } made => $"{made.There} files are what this program makes of the record",
        { Other: var other } => throw new RecordException(
            $"{string.Join(", ", other)}: not what this program makes of the record. Another version of it made the report, or the report "
                + $"was changed: make it again with report {folder}."),
    };
}
