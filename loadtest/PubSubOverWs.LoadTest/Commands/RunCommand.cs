using System.CommandLine;
using PubSubOverWs.LoadTest.Runs;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>run SCENARIO</c>: the only command that measures; every other reads what it wrote.</summary>
public static class RunCommand
{
    public static Command Create(Terminal terminal)
    {
        var options = new RunOptions();
        var command = new Command("run", "Run a scenario: start the servers, drive them, record every message, make the report.");
        options.AddTo(command);
        command.SetAction(async (parsed, stopping) => (int)await RunSession.RunAsync(options.Read(parsed), terminal, stopping));
        return command;
    }
}
