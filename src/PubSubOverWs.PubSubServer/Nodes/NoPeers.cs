using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>One server alone: everything goes through its one queue.</summary>
internal sealed class NoPeers(EnvelopeSender queue) : IPeers
{
    public int Nodes => 1;

    public int MaxBytesOf(IReadOnlyList<Message> publish) => SqsLimits.MaxMessageBytes;

    public EnvelopeSender WayOf(IReadOnlyList<Message> publish) => queue;

    public EnvelopeSender? Elsewhere(InboundMessage message) => null;

    public bool IsLost(EnvelopeSender way, SqsException failure) => false;

    public ValueTask DisposeAsync() => queue.DisposeAsync();
}
