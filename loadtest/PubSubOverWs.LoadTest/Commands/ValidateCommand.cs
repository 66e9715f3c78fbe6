using System.CommandLine;
using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Runs;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>validate DIR</c>: checks every file of a record.</summary>
public static class ValidateCommand
{
    public static Command Create(Terminal terminal)
    {
        var folder = new Argument<string>("DIR") { Description = "a record folder, such as results/paper/TIME" };
        var write = new Option<bool>("--write-sums")
        { Description = $"write {Checksums.FileName} into a folder that has none, if all other checks pass" };
        var command = new Command("validate", "Check every file of a record folder: versions, columns, checksums, and their consistency.")
            { folder, write };
        command.SetAction(parsed => (int)Validate(parsed.GetRequiredValue(folder), parsed.GetValue(write), terminal));
        return command;
    }

    private static ExitCode Validate(string folder, bool write, Terminal terminal)
    {
        var record = RecordReader.Read(folder);
        if (write && Checksums.AreIn(folder))
            throw new RecordException($"{folder} has {Checksums.FileName} already: it is never replaced.");
        var sums = Checksums.CheckAll(folder);
        CrossChecks.Check(record);
        var samples = RecordFilesCheck.CountSamples(folder, record);
        var stats = RecordFilesCheck.CountStats(folder, record);
        var summed = !record.Run.KeepsSamples ? "no samples/, which this experiment does not keep"
            : samples == 0 ? "none in samples/, which committed folders leave out"
            : $"{samples} in samples/";
        var measured = record.Run.Measures.Count == 0 ? "" : $"{record.Rows.Count} iterations with measures, ";
        terminal.Output.WriteLine(
            $"{folder}: {record.Rows.Count} iterations, {record.Events.Count} events, {record.Latency.Count} distributions in latency/, "
                + $"{measured}{stats} files in stats/, {summed}, {(record.Run.Complete ? "complete" : "not complete")}; every file can be "
                + "read and adds up.");
        foreach (var level in Validity.VoidLevels(record))
            terminal.Output.WriteLine($"not measured: {level}");
        if (write)
            Checksums.Write(folder);
        terminal.Output.WriteLine(ChecksumLine.Of(folder, write ? Checksums.CheckAll(folder) : sums));
        return ExitCode.Success;
    }
}
