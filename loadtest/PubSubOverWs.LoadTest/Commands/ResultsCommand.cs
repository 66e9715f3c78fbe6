using System.CommandLine;
using System.CommandLine.Invocation;
using PubSubOverWs.LoadTest.Experiments.Paper.Published;
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

/// <summary><c>open [DIR]</c>: shows the latest report in the browser.</summary>
public static class OpenCommand
{
    public static Command Create(Terminal terminal)
    {
        var folder = new Argument<string>("DIR")
        {
            DefaultValueFactory = _ => "results",
            Description = "a record folder, or a folder that holds some; default: results in the working folder",
        };
        var command = new Command("open", "Show the latest report in the browser.") { folder };
        command.SetAction(async (parsed, _) => (int)await OpenAsync(parsed.GetRequiredValue(folder), terminal));
        return command;
    }

    private static async Task<ExitCode> OpenAsync(string folder, Terminal terminal)
    {
        RefusalException.ThrowUnless(
            Directory.Exists(folder), $"There is no folder {folder}: name one that holds record folders, or make a run first.");
        var page = RecordFolders.LatestReport(folder)
            ?? throw new RefusalException($"There is no report.html in {folder}: make a run, or a report of a record with report DIR.");
        var path = Path.GetFullPath(page);
        var address = new Uri(path).AbsoluteUri;
        await terminal.WriteAsync("report", path);
        await terminal.WriteAsync("", address);
        if (terminal.Browse(address, terminal.Variable) is { } reason)
            throw new RefusalException($"No browser was started ({reason}): open the report by its path or address.");
        return ExitCode.Success;
    }
}

/// <summary><c>paper</c>: the replicated paper recomputed from its printed figures; measures nothing.</summary>
public static class PaperCommand
{
    public static Command Create(Terminal terminal)
    {
        var command = new Command("paper", "Recompute the paper's p-values from its printed figures, and list its errata.");
        command.SetAction(_ => terminal.Output.Write(PaperDocument.Text(PublishedPaper.Load())));
        return command;
    }
}

/// <summary><c>version</c> and <c>--version</c>: version, commit and runtime, as in every record.</summary>
public static class VersionCommand
{
    /// <summary>For the option.</summary>
    public static CommandLineAction Action { get; } = new Printing();

    public static Command Create() => new("version", "Print version, commit and runtime.") { Action = Action };

    private sealed class Printing : SynchronousCommandLineAction
    {
        // Without a command the rest of the line is no error.
        public override bool ClearsParseErrors => true;

        public override int Invoke(ParseResult parseResult)
        {
            parseResult.InvocationConfiguration.Output.WriteLine(
                $"PubSubOverWs {ThisProgram.Version}, commit {ThisProgram.Commit ?? "unknown"}, {ThisProgram.Runtime}");
            return 0;
        }
    }
}
