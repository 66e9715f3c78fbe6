using System.CommandLine;
using System.Globalization;
using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Results;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>results [DIR]</c>: lists the records in a folder, newest first, with a one-line result for each.</summary>
public static class ResultsCommand
{
    public static Command Create(Terminal terminal)
    {
        var folder = new Argument<string>("DIR")
        { DefaultValueFactory = _ => "results", Description = "folder to list; default: results in the working folder" };
        var json = JsonOption.Create("the list as JSON");
        var command = new Command("results", "List the recorded runs, newest first, with a one-line result for each.") { folder, json };
        command.SetAction(parsed => (int)List(parsed.GetRequiredValue(folder), parsed.GetValue(json), terminal));
        return command;
    }

    private static ExitCode List(string folder, bool json, Terminal terminal)
    {
        if (!Directory.Exists(folder))
            throw new RefusalException(
                $"There is no folder {folder}: name one that holds record folders, or make a run first.");
        var entries = RecordFolders.In(folder);
        if (json)
        {
            terminal.Output.Write(ResultsJson.Write(entries));
            return ExitCode.Success;
        }

        foreach (var entry in entries)
            terminal.Output.WriteLine($"{Time(entry.Started)}  {entry.Folder}  {(entry.Damaged ? "DAMAGED: " : "")}{entry.Line}");
        if (entries.Count == 0)
            terminal.Output.WriteLine($"There is no recorded run in {folder}.");
        // Damaged records do not fail the list: validate DIR checks one.
        return ExitCode.Success;
    }

    private static string Time(DateTimeOffset? time) =>
        time?.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss'Z'", CultureInfo.InvariantCulture) ?? "at an unknown time";
}
