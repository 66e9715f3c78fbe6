using System.CommandLine;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>Commands that help does not list; they take any arguments.</summary>
public static class HiddenCommand
{
    /// <summary>A server or client program of this assembly that runs as a process of its own.</summary>
    /// <param name="name">Of the command.</param>
    /// <param name="run">Gets its settings from the arguments of the program.</param>
    public static Command Child(string name, Func<Task> run)
    {
        var command = new Command(name) { Hidden = true, TreatUnmatchedTokensAsErrors = false };
        command.SetAction((_, _) => run());
        return command;
    }

    /// <summary>A command that was replaced by a run with a record.</summary>
    /// <param name="name">Of the old command.</param>
    /// <param name="instead">The command to use, such as <c>run kills</c>.</param>
    /// <param name="called">The old command with what stands before it; null: nothing does.</param>
    public static Command Retired(string name, string instead, string? called = null) => Child(name, () => throw new RefusalException(
        $"'{called ?? name}' is now a run that leaves a record: use {instead}, or {instead} --quick for its smaller form."));
}
