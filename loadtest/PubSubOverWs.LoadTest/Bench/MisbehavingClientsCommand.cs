using System.CommandLine;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>The hidden command <c>misbehaving-clients</c>, which <c>bench misbehaving</c> starts as a process of its own.</summary>
public static class MisbehavingClientsCommand
{
    /// <param name="args">All of the program's: the web host reads its own from them.</param>
    public static Command Create(string[] args)
    {
        var command = new Command(MisbehavingProgram.Command) { Hidden = true, TreatUnmatchedTokensAsErrors = false };
        command.SetAction((_, _) => MisbehavingProgram.RunAsync(args));
        return command;
    }
}
