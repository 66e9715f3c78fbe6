using System.Diagnostics.CodeAnalysis;

namespace PubSubOverWs.LocalSqs;

/// <summary>The line of a standard queue: first come, first served; messages that come back go to its end.</summary>
internal sealed class StandardLine : IMessageLine
{
    // Deleted messages stay, as Gone, until their turn.
    private readonly Queue<StoredMessage> _messages = new();

    public bool HasNext => _messages.Count > 0;

    public void Add(StoredMessage message) => _messages.Enqueue(message);

    public bool TryTake([NotNullWhen(true)] out StoredMessage? message)
    {
        while (_messages.TryDequeue(out message))
        {
            if (message.State != MessageState.Gone)
                return true;
        }
        return false;
    }

    public void Hold(StoredMessage message)
    {
    }

    public void Forget(StoredMessage message)
    {
    }

    public void Clear() => _messages.Clear();
}
