namespace PubSubOverWs.LoadTest.Processes;

/// <summary>A child could not be started or used. The message is one sentence for the user: what, to whom, what to do.</summary>
public sealed class ChildException(string message, int exitCode) : Exception(message)
{
    /// <summary>What the child was told cannot be used: a setting, a port in use, no credentials for its queue.</summary>
    public const int BadUsage = 5;

    /// <summary>A server or the queue could not be reached.</summary>
    public const int Unreachable = 10;

    /// <summary>What this program should end with (docs/record.md).</summary>
    public int ExitCode { get; } = exitCode;
}
