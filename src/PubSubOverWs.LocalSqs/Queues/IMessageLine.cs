using System.Diagnostics.CodeAnalysis;

namespace PubSubOverWs.LocalSqs;

/// <summary>
/// The visible messages of a queue, in the order in which they are handed out. What is taken comes back by <see cref="Add"/>, is hidden by
/// <see cref="Hold"/>, or never comes again: <see cref="Forget"/>.
/// </summary>
internal interface IMessageLine
{
    /// <summary>Whether one of the visible messages may be taken now. Asked only when there are any.</summary>
    bool HasNext { get; }

    /// <summary>The message is visible, for the first time or again.</summary>
    void Add(StoredMessage message);

    /// <summary>False: nothing that is visible may be taken now.</summary>
    bool TryTake([NotNullWhen(true)] out StoredMessage? message);

    /// <summary>What was taken is in flight from now on.</summary>
    void Hold(StoredMessage message);

    /// <summary>What was taken, or is in flight, leaves the queue.</summary>
    void Forget(StoredMessage message);

    void Clear();
}
