using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>Other nodes as a test wants them.</summary>
internal sealed class FakePeers : IPeers
{
    private readonly Dictionary<string, EnvelopeSender> _ways = [];

    public bool AllAreLost { get; set; }

    public int Nodes => 1;

    /// <summary>Another node has a subscriber. Nothing is sent there: what would be is what the test looks at.</summary>
    public EnvelopeSender WayTo(string destination) => _ways[destination] = new EnvelopeSender(
        new EnvelopeTarget("another queue", SqsLimits.MaxBatchBytes, _ => throw new NotSupportedException("Nothing is sent in this test.")),
        new SendingOptions());

    public void NoWayTo(string destination) => _ways.Remove(destination);

    public int MaxBytesOf(IReadOnlyList<Message> publish) => throw new NotSupportedException("Nothing is published in these tests.");

    public EnvelopeSender WayOf(IReadOnlyList<Message> publish) => throw new NotSupportedException("Nothing is published in these tests.");

    public EnvelopeSender? Elsewhere(InboundMessage message) => _ways.GetValueOrDefault(message.Message.Destination);

    public bool IsLost(EnvelopeSender way, SqsException failure) => AllAreLost;

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
