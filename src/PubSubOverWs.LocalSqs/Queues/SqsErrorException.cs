namespace PubSubOverWs.LocalSqs;

/// <summary>The caller asked for what SQS refuses. The message goes to the caller.</summary>
public sealed class SqsErrorException(SqsError error, string message) : Exception(message)
{
    public SqsError Error { get; } = error;
}
