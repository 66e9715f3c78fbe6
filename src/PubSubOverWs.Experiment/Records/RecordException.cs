namespace PubSubOverWs.Experiment.Records;

/// <summary>A record folder that cannot be used. The message is one sentence: which file, what is wrong, what to do.</summary>
public sealed class RecordException : Exception
{
    public RecordException(string message)
        : base(message)
    {
    }

    public RecordException(string message, Exception inner)
        : base(message, inner)
    {
    }
}
