using System.Diagnostics.CodeAnalysis;

namespace PubSubOverWs.LocalSqs;

/// <summary>
/// The visible messages of a queue, in the order in which they are handed out. A taken message comes back by <see cref="Add"/>, is hidden
/// by <see cref="Hold"/>, or leaves for good by <see cref="Forget"/>.
/// </summary>
internal interface IMessageLine
{
    /// <summary>Whether one of the visible messages may be taken now. Asked only when there are any.</summary>
    bool HasNext { get; }

    /// <summary>Adds a message that is visible for the first time or again.</summary>
    void Add(StoredMessage message);

    /// <summary>False: no visible message may be taken now.</summary>
    bool TryTake([NotNullWhen(true)] out StoredMessage? message);

    /// <summary>The taken message is in flight from now on.</summary>
    void Hold(StoredMessage message);

    /// <summary>A message that was taken, or is in flight, leaves the queue.</summary>
    void Forget(StoredMessage message);

    void Clear();
}
