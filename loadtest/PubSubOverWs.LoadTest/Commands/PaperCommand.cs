using System.CommandLine;
using System.CommandLine.Invocation;
using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Machine;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>paper</c>: the replicated paper recomputed from its printed figures; measures nothing.</summary>
public static class PaperCommand
{
    public static Command Create(Terminal terminal)
    {
        var command = new Command("paper", "Recompute the paper's p-values from its printed figures, and list its errata.");
        command.SetAction(_ => terminal.Output.Write(PaperDocument.Of(PublishedPaper.Load())));
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
                $"PubSubOverWs {BuildInfo.Version}, commit {BuildInfo.Commit ?? "unknown"}, {BuildInfo.Runtime}");
            return 0;
        }
    }
}
