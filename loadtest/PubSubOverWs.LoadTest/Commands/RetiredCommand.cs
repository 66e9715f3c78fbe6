using System.CommandLine;
using PubSubOverWs.Experiment;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>A command that there was, and that a run with a record has taken the place of: it says so, whatever stands behind it.</summary>
public static class RetiredCommand
{
    /// <param name="name">Of the command.</param>
    /// <param name="instead">The command to use, such as <c>run kills</c>.</param>
    public static Command Create(string name, string instead)
    {
        var command = new Command(name, $"is now {instead}") { Hidden = true, TreatUnmatchedTokensAsErrors = false };
        command.SetAction(new Func<ParseResult, int>(_ => throw new RefusalException(
            ExitCode.BadUsage, $"'{name}' is now a run that leaves a record: say {instead}, or {instead} --quick for its smaller form.")));
        return command;
    }
}
