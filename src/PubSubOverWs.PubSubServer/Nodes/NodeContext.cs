using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>Objects that the parts of a <see cref="NodeServer"/> share.</summary>
/// <param name="Server">As in a server that is alone. Failures of its client make this node unready: it is for this node's queues.</param>
/// <param name="Others">The client for queues of other nodes: one of them may be deleted, and this node is still ready.</param>
/// <param name="Sns">The client of the topic.</param>
/// <param name="Queues">Those of this node.</param>
/// <param name="Subscriptions">Of the clients that are connected here.</param>
internal sealed record NodeContext(QueueContext Server, ISqs Others, ISns Sns, NodeQueues Queues, Subscriptions Subscriptions)
{
    public NodeOptions Options => Server.Options.Nodes;

    public TimeProvider Time => Server.Time;

    public ILogger Log => Server.Log;
}
