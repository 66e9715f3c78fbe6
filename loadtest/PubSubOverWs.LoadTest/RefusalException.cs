using PubSubOverWs.Experiment;

namespace PubSubOverWs.LoadTest;

/// <summary>A command cannot do what was asked. The message is one sentence for the user: what happened, to what, what to do.</summary>
public sealed class RefusalException(ExitCode exitCode, string message, Exception? inner = null) : Exception(message, inner)
{
    public ExitCode ExitCode { get; } = exitCode;
}
