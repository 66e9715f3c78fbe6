using System.CommandLine;
using PubSubOverWs.Experiment.Experiments.Published;
using PubSubOverWs.LoadTest.Machine;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>paper</c>: the replicated paper recomputed from its printed figures; measures nothing.</summary>
public static class PaperCommand
{
    public static Command Create(Terminal terminal)
    {
        var command = new Command("paper", "Recompute the paper's p-values from its printed figures, and list its errata.");
        command.SetAction(_ => terminal.Output.Write(PaperDocument.Of(Paper.Load())));
        return command;
    }
}

/// <summary><c>version</c>: version, commit and runtime, as in every record.</summary>
public static class VersionCommand
{
    public static string Text => $"PubSubOverWs {BuildInfo.Version}, commit {BuildInfo.Commit ?? "unknown"}, {BuildInfo.Runtime}";

    public static Command Create(Terminal terminal)
    {
        var command = new Command("version", "Print version, commit and runtime.");
        command.SetAction(_ => terminal.Output.WriteLine(Text));
        return command;
    }
}
