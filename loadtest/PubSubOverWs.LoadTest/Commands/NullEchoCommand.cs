using System.CommandLine;
using PubSubOverWs.LoadTest.Targets.NullEcho;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>The hidden command <c>null-echo</c>: the floor's server, which a run starts as a process of its own.</summary>
public static class NullEchoCommand
{
    /// <param name="args">All of the program's: the web host reads its own from them.</param>
    public static Command Create(string[] args)
    {
        var command = new Command(NullEcho.Command) { Hidden = true, TreatUnmatchedTokensAsErrors = false };
        command.SetAction((_, _) => NullEcho.RunAsync(args));
        return command;
    }
}
