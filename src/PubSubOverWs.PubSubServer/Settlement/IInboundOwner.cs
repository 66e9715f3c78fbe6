using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>Hears what became of a message that was handed to a subscriber. Called from any thread; must not block.</summary>
internal interface IInboundOwner
{
    /// <summary>A subscriber took it that acknowledges nothing. Within the locks of the subscription.</summary>
    void TakenToFlush(InboundMessage message);

    void Settled(InboundMessage message);

    void GivenBack(InboundMessage message, GiveBackReason reason);

    /// <summary>It could not be sent to another node: it is to be offered again.</summary>
    void NotForwarded(InboundMessage message);
}
