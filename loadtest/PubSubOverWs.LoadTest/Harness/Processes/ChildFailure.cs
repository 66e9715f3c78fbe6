namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>Why a child did not start, or how it ended, in one sentence with the end of its output.</summary>
public static class ChildFailure
{
    public static ChildException Ended(ChildCommand command, ChildExit exit) => exit.ExitCode switch
    {
        // A setting, a port or credentials: the child's own sentence says which, and what to do.
        ChildException.BadUsage => new(
            $"The {command.Name} server cannot start with its settings: "
                + $"{(exit.LastLines.Count == 0 ? "it gave no reason." : exit.LastLines[^1])}",
            ChildException.BadUsage),
        ChildException.Unreachable => new(
            $"The {command.Name} server could not reach its queue: check that the endpoint runs and answers.{Wrote(exit.LastLines)}"),
        _ => new(
            $"The {command.Name} server ended with exit code {exit.ExitCode} before it was ready; "
                + $"see its last lines for the reason.{Wrote(exit.LastLines)}"),
    };

    public static ChildException NotReady(ChildCommand command, TimeSpan timeout, IReadOnlyList<string> lastLines) => new(
        $"The {command.Name} server did not answer 200 at {command.HealthPath} within {timeout.TotalSeconds:0} s, "
            + $"and was stopped.{Wrote(lastLines)}");

    public static ChildException EndedByItself(string name, ChildExit exit) => new(
        $"The {name} server ended unexpectedly with exit code {exit.ExitCode}.{Wrote(exit.LastLines)}");

    public static ChildException EndedBadly(string name, ChildExit exit) => new(
        $"The {name} server did not stop cleanly: {exit.AsAsked}.{Wrote(exit.LastLines)}");

    private static string Wrote(IReadOnlyList<string> lines) =>
        lines.Count == 0 ? " It had no output." : string.Join(Environment.NewLine + "  ", lines.Prepend(" Its last output:"));
}

/// <summary>A child could not be started or used. The message is one sentence for the user: the cause, and what to do.</summary>
public sealed class ChildException(string message, int exitCode = ChildException.Unreachable) : Exception(message)
{
    /// <summary>The child cannot use its settings: a port in use, no credentials for its queue.</summary>
    public const int BadUsage = 5;

    /// <summary>A server or the queue could not be reached.</summary>
    public const int Unreachable = 10;

    /// <summary>The exit code of this program (docs/reference/record.md).</summary>
    public int ExitCode { get; } = exitCode;
}
