using System.CommandLine;
using PubSubOverWs.Experiment.Experiments.Published;

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
