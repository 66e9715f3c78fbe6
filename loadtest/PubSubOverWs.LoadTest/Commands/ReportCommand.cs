using System.CommandLine;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Report;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>report DIR...</c>: rebuilds the report of each record from its files, and checks gates.</summary>
public static class ReportCommand
{
    public static Command Create(Terminal terminal)
    {
        var folders = RecordArgument.Create();
        var noise = new Option<string[]>("--noise")
        {
            Description = "A/A runs of the same set-up, made with run NAME --aa: effects below their noise do not count as reproduced; "
                + "kept in noise.json",
            HelpName = "DIR",
            AllowMultipleArgumentsPerToken = true,
        };
        var gates = GateOptions.Gates("condition for exit code 0, in addition to the gates of the run");
        var baseline = GateOptions.Baseline();
        var junit = GateOptions.JUnit();
        var json = JsonOption.Create("report.json");
        var together = new Option<bool>("--together")
        {
            Description = "show whole runs of one commit beside each other, with the range of all; writes nothing",
            Arity = ArgumentArity.Zero,
        };
        var command = new Command(
            "report",
            "Make report.md, report.json, report.html and report.csv of a record folder again, and check gates.")
                { folders, noise, together, gates, baseline, junit, json };
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var records = parsed.GetRequiredValue(folders);
            var asJson = parsed.GetValue(json);
            if (parsed.GetValue(together))
            {
                Option[] others = [noise, gates, baseline, junit, json];
                RefusalException.ThrowUnless(
                    others.All(option => parsed.GetResult(option) is null or { Implicit: true }),
                    "--together shows runs and judges none: leave out --noise, --gate, --baseline, --junit and --json.");
                var shown = RunsTogether.Write([.. records.Select(record => (Conclusion.NameOf(record), RecordReader.Read(record)))]);
                await terminal.Output.WriteAsync(shown.ReplaceLineEndings());
                return (int)ExitCode.Success;
            }
            RefusalException.ThrowUnless(
                records.Length == 1 || (!asJson && parsed.GetValue(junit) is null),
                "--json and --junit are of one record: name one folder, or leave them out.");
            return await RecordArgument.EachAsync(records, terminal, async record =>
            {
                var code = await Conclusion.DrawAsync(
                    record, parsed.GetValue(gates) ?? [], parsed.GetValue(baseline), parsed.GetValue(junit), parsed.GetValue(noise),
                    asJson ? terminal.BesideDocument : terminal, cancellationToken);
                if (asJson)
                    await terminal.Output.WriteAsync(await File.ReadAllTextAsync(Path.Combine(record, "report.json"), cancellationToken));
                return code;
            });
        });
        return command;
    }
}

/// <summary>The options that <c>run</c> and <c>report</c> share.</summary>
public static class GateOptions
{
    private static string Direct => DirectTarget.Kind;

    private static string PubSub => PubSubTarget.Kind;

    public static Option<string[]> Gates(string description) =>
        new("--gate")
        {
            Description = $"{description}, such as \"{PubSub}.loss == 0\" or "
                + $"\"warn: {PubSub}.latency.mean / {Direct}.latency.mean < 8\"; may be repeated",
            HelpName = "EXPR"
        };

    public static Option<string?> Baseline() =>
        new("--baseline")
        {
            Description = $"record folder for gates that refer to the baseline, such as \"{BaselineFolder.Example}\"",
            HelpName = "DIR"
        };

    public static Option<string?> JUnit() => new("--junit") { Description = "file for the gates as JUnit XML", HelpName = "FILE" };
}

/// <summary>The record folders of a command that takes one or more, each by itself.</summary>
public static class RecordArgument
{
    public static Argument<string[]> Create() => new("DIR")
    { Arity = ArgumentArity.OneOrMore, Description = "a record folder, such as results/paper/TIME, or several" };

    /// <summary>Does the work in each folder, in order. Of several, a refusal names its folder, and the others go on.</summary>
    /// <returns>The largest exit code.</returns>
    public static async Task<int> EachAsync(string[] folders, Terminal terminal, Func<string, Task<ExitCode>> work)
    {
        if (folders is [var only])
            return (int)await work(only);
        var worst = ExitCode.Success;
        foreach (var folder in folders)
        {
            var code = ExitCode.Success;
            try
            {
                code = await work(folder);
            }
            catch (Exception refused) when (CommandLine.CodeOf(refused) is not ExitCode.Crash)
            {
                code = CommandLine.CodeOf(refused);
                await terminal.Error.WriteLineAsync($"{folder}: {refused.Message}");
            }
            worst = code > worst ? code : worst;
        }
        return (int)worst;
    }
}
