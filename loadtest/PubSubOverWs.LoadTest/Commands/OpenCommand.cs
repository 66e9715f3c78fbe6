using System.CommandLine;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.Report.Results;

namespace PubSubOverWs.LoadTest.Commands;

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
