namespace PubSubOverWs.Relay;

/// <summary>What a client sent between BEGIN and COMMIT: nothing of it happens before, and all of it is forgotten on ABORT.</summary>
internal sealed class Transaction
{
    /// <summary>The queue's limit for one envelope, which carries the messages of a transaction together.</summary>
    public const int MaxBytes = 1024 * 1024;

    private int _bytes;

    public List<Message> Messages { get; } = [];
    public List<Action> Acknowledgements { get; } = [];

    /// <summary>Receipts of the frames within: answered when the outcome is known, so that <c>taken</c> never says too much.</summary>
    public List<string> Receipts { get; } = [];

    public int Frames => Messages.Count + Acknowledgements.Count;

    /// <summary>False: the messages together take more than <see cref="MaxBytes"/>.</summary>
    public bool TryAdd(Message message)
    {
        _bytes += message.Size;
        Messages.Add(message);
        return _bytes <= MaxBytes;
    }
}
