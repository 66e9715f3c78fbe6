using System.CommandLine;
using PubSubOverWs.LoadTest.Machine;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>version</c>: what was built and what runs it, as it stands in every record.</summary>
public static class VersionCommand
{
    public static Command Create(Terminal terminal)
    {
        var command = new Command("version", "Print version, commit and runtime.");
        command.SetAction(_ =>
            terminal.Output.WriteLine($"PubSubOverWs {BuildInfo.Version}, commit {BuildInfo.Commit ?? "unknown"}, {BuildInfo.Runtime}"));
        return command;
    }
}
