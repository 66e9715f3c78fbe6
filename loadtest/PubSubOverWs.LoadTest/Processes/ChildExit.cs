using System.Globalization;

namespace PubSubOverWs.LoadTest.Processes;

/// <summary>How a child process ended.</summary>
/// <param name="ExitCode">What it returned; on Linux 128 + the signal when a signal ended it.</param>
/// <param name="Killed">This program killed it: a fault was asked for, or it did not end in time.</param>
/// <param name="LastLines">The end of its standard error.</param>
public sealed record ChildExit(int ExitCode, bool Killed, IReadOnlyList<string> LastLines)
{
    /// <summary>Of one that was asked to end, such as <c>exit code 0</c>.</summary>
    public string AsAsked =>
        string.Create(CultureInfo.InvariantCulture, $"exit code {ExitCode}{(Killed ? ", killed: it did not end in time" : "")}");
}
