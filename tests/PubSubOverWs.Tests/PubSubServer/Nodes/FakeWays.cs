using PubSubOverWs.PubSubServer;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>Ways to other nodes, where a test wants them. Nothing is sent: what would be is what the test looks at.</summary>
internal sealed class FakeWays
{
    private readonly Dictionary<string, EnvelopeSender> _ways = [];

    /// <summary>Another node has a subscriber.</summary>
    public EnvelopeSender WayTo(string destination) => _ways[destination] = new EnvelopeSender(
        new EnvelopeTarget("another queue", SqsLimits.MaxBatchBytes, _ => throw new NotSupportedException("Nothing is sent in this test.")),
        new SendingOptions());

    public void NoWayTo(string destination) => _ways.Remove(destination);

    public EnvelopeSender? Elsewhere(InboundMessage message) => _ways.GetValueOrDefault(message.Message.Destination);
}
