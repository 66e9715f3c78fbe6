using System.CommandLine;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.Report.Results;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>results [DIR...]</c>: the records in folders as a table, newest first.</summary>
public static class ResultsCommand
{
    // Of the table in a file or a pipe.
    private const int Width = 100;

    public static Command Create(Terminal terminal)
    {
        var folders = new Argument<string[]>("DIR")
        {
            Arity = ArgumentArity.ZeroOrMore,
            DefaultValueFactory = _ => ["results"],
            Description = "folders to list; default: results in the working folder",
        };
        var last = new Option<int?>("--last")
        { CustomParser = Values.Count("--last", 1), Description = "only the newest", HelpName = "N" };
        var json = JsonOption.Create("the list as JSON");
        var command = new Command("results", "List the recorded runs as a table, newest first.") { folders, last, json };
        command.SetAction(parsed =>
            (int)List(parsed.GetRequiredValue(folders), parsed.GetValue(last), parsed.GetValue(json), terminal));
        return command;
    }

    private static ExitCode List(string[] folders, int? last, bool json, Terminal terminal)
    {
        if (Array.Find(folders, folder => !Directory.Exists(folder)) is { } missing)
            throw new RefusalException(
                $"There is no folder {missing}: name one that holds record folders, or make a run first.");
        var entries = RecordFolders.In(folders, last);
        if (json)
        {
            terminal.Output.Write(ResultsJson.Write(entries));
            return ExitCode.Success;
        }

        if (entries.Count == 0)
            terminal.Output.WriteLine($"There is no recorded run in {string.Join(" or ", folders)}.");
        else
            terminal.Output.Write(RecordFolders.Table(entries, terminal.Width ?? Width).ReplaceLineEndings());
        // Damaged records do not fail the list: validate DIR checks one.
        return ExitCode.Success;
    }
}
