namespace PubSubOverWs.Relay;

/// <summary>A server cannot start, and knows why: its message is one sentence that says what, where and what to do.</summary>
/// <param name="exitCode"><see cref="BadUsage"/> or <see cref="Unreachable"/>.</param>
public sealed class StartFailedException(string message, int exitCode = StartFailedException.BadUsage) : Exception(message)
{
    /// <summary>Exit code: bad settings or no credentials.</summary>
    public const int BadUsage = 5;

    /// <summary>Exit code: the queue does not answer, which may pass.</summary>
    public const int Unreachable = 10;

    public int ExitCode { get; } = exitCode;
}
