namespace PubSubOverWs.Experiment.Formats;

/// <summary>A record folder that cannot be used. The message is one sentence: which file, what is wrong, what to do.</summary>
public sealed class RecordException : Exception
{
    /// <summary>What to do about a folder that is damaged, for the end of a sentence.</summary>
    public const string Mend = "take the folder again from where it was made";

    public RecordException(string message)
        : base(message)
    {
    }

    public RecordException(string message, Exception inner)
        : base(message, inner)
    {
    }

    /// <summary>The sentence about a file that is there and that the system does not let this program read.</summary>
    internal static RecordException Unreadable(string name, Exception error) =>
        new($"{name} cannot be read ({error.Message.TrimEnd('.')}): see to its rights, or {Mend}.", error);
}
