using System.CommandLine;
using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>validate DIR</c>: reads every file of a record and says what does not hold.</summary>
public static class ValidateCommand
{
    public static Command Create(Terminal terminal)
    {
        var folder = new Argument<string>("DIR") { Description = "a record folder, such as results/paper/TIME" };
        var command = new Command("validate", "Check every file of a record folder: versions, columns, sums.") { folder };
        command.SetAction(parsed => (int)Validate(parsed.GetRequiredValue(folder), terminal));
        return command;
    }

    private static ExitCode Validate(string folder, Terminal terminal)
    {
        var record = RecordReader.Read(folder);
        var samples = RecordFilesCheck.CountSamples(folder, record);
        var stats = RecordFilesCheck.CountStats(folder);
        var summed = samples == 0 ? "none in samples/, which committed folders leave out" : $"{samples} in samples/";
        var faults = record.Faults.Count == 0 ? "" : $"{record.Faults.Count} rows in faults.csv, ";
        terminal.Output.WriteLine($"{folder}: {record.Rows.Count} iterations, {record.Events.Count} events, {record.Latency.Count} distributions in latency/, {faults}{stats} files in stats/, {summed}, {(record.Run.Complete ? "complete" : "not complete")}; every file can be read and adds up.");
        return ExitCode.Success;
    }
}
