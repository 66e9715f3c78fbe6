namespace PubSubOverWs.Relay;

/// <summary>A server cannot start, and knows why: its message is one sentence that says what, where and what to do.</summary>
/// <param name="exitCode"><see cref="BadUsage"/>; 10: the queue cannot be reached.</param>
public sealed class StartFailedException(string message, int exitCode) : Exception(message)
{
    /// <summary>Exit code: bad settings or no credentials.</summary>
    public const int BadUsage = 5;

    public int ExitCode { get; } = exitCode;
}
