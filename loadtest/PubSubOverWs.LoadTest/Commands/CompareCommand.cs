using System.CommandLine;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.Report.Compare;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>compare A B</c>: the differences between two recorded runs. Only gates, not differences, fail a command.</summary>
public static class CompareCommand
{
    public static Command Create(Terminal terminal)
    {
        var a = new Argument<string>("A") { Description = "the record folder of the baseline" };
        var b = new Argument<string>("B") { Description = "the record folder to compare with it" };
        var force = new Option<bool>("--force") { Description = "compare records that differ too much; the output starts with a warning" };
        var output = new Option<string?>("--out") { Description = "a folder for compare.md and compare.json", HelpName = "DIR" };
        var json = JsonOption.Create("compare.json");
        var command = new Command(
            "compare", "Compare two recorded runs at the levels that both have: differences with intervals, and a verdict for each.")
            { a, b, force, output, json };
        command.SetAction(async (parsed, cancellationToken) => (int)await CompareAsync(
            parsed.GetRequiredValue(a), parsed.GetRequiredValue(b), parsed.GetValue(force), parsed.GetValue(output), parsed.GetValue(json),
            terminal, cancellationToken));
        return command;
    }

    private static async Task<ExitCode> CompareAsync(
        string a, string b, bool force, string? output, bool json, Terminal terminal, CancellationToken cancellationToken)
    {
        var before = RecordReader.Read(a);
        var after = RecordReader.Read(b);
        if (!force)
            Refuse(before, after);
        var comparison = RunComparison.From(before, after);
        if (comparison.Tables.Count == 0)
            throw new RefusalException(
                ExitCode.NotComparable, "A and B have no arm and level in common: there is nothing to compare, even with --force.");
        var document = CompareJson.Write(comparison);
        await terminal.Output.WriteAsync(json ? document : CompareText.Write(comparison, terminal.Width).ReplaceLineEndings());
        if (output is not null)
            await WriteAsync(output, [("compare.md", CompareMarkdown.Write(comparison)), ("compare.json", document)], cancellationToken);
        return ExitCode.Success;
    }

    private static void Refuse(RunFolder a, RunFolder b)
    {
        if (Comparability.ObstaclesAtCommonLevels(a, b) is { Count: > 0 } obstacles)
            throw new RefusalException(
                ExitCode.NotComparable,
                $"A and B cannot be compared ({string.Join("; ", obstacles)}): measure both with the same settings, or use --force to "
                    + "compare them anyway.");
        if (Repetitions.Lacking(a, b) is { Count: > 0 } lacking)
            throw new RefusalException(
                ExitCode.NotComparable,
                $"There are too few repetitions to compare ({string.Join("; ", lacking)}): each run needs at least 2 blocks of servers "
                    + "that it starts itself, as with --iterations 10 --blocks 5; --force shows the figures anyway.");
    }

    private static async Task WriteAsync(string folder, (string Name, string Text)[] files, CancellationToken cancellationToken)
    {
        var utf8 = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
        try
        {
            Directory.CreateDirectory(folder);
            foreach (var (name, text) in files)
                await File.WriteAllTextAsync(Path.Combine(folder, name), text, utf8, cancellationToken);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new RefusalException(
                $"--out '{folder}' cannot be written ({error.Message.TrimEnd('.')}): name a folder that can be made.");
        }
    }
}
