using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>Remembers what became of the messages of a lease.</summary>
internal sealed class RecordingOwner : IInboundOwner
{
    public List<string> SettledIds { get; } = [];

    public List<string> NotForwardedIds { get; } = [];

    public void TakenToFlush(InboundMessage message)
    {
    }

    public void Settled(InboundMessage message) => SettledIds.Add(message.Message.Id);

    public void GivenBack(InboundMessage message, GiveBackReason reason)
    {
    }

    public void NotForwarded(InboundMessage message) => NotForwardedIds.Add(message.Message.Id);
}
