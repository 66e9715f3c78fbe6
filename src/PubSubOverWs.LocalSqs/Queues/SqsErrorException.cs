namespace PubSubOverWs.LocalSqs;

/// <summary>SQS refuses the call. The message goes to the caller.</summary>
public sealed class SqsErrorException(SqsError error, string message) : Exception(message)
{
    public SqsError Error { get; } = error;
}
