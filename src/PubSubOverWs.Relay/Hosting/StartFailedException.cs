namespace PubSubOverWs.Relay;

/// <summary>A server cannot start, and knows why: its message is one sentence that says what, where and what to do.</summary>
/// <param name="exitCode">5: bad settings or no credentials; 10: the queue cannot be reached.</param>
public sealed class StartFailedException(string message, int exitCode) : Exception(message)
{
    public int ExitCode { get; } = exitCode;
}
