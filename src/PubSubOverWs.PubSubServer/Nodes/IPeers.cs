using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>The servers that share the work with this one, if there are any, and the ways to them. Safe from any thread.</summary>
internal interface IPeers : IAsyncDisposable
{
    /// <summary>Servers that share the work, with this one.</summary>
    int Nodes { get; }

    /// <summary>Bytes that the envelope of a publish may have.</summary>
    int MaxBytesOf(IReadOnlyList<Message> publish);

    /// <summary>The way of a publish, here and now. Messages that belong together go one way.</summary>
    EnvelopeSender WayOf(IReadOnlyList<Message> publish);

    /// <summary>Where a message belongs that was received here; null: here.</summary>
    EnvelopeSender? Elsewhere(InboundMessage message);

    /// <summary>
    /// Whether the failure says that the queue at the end of this way is gone, so that <see cref="WayOf"/> names another from now on.
    /// </summary>
    bool IsLost(EnvelopeSender way, SqsException failure);
}
