using System.Collections.Concurrent;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>
/// Remembers what became of the messages of leases. Safe from any thread, for several calls to a queue are under way at once.
/// </summary>
internal sealed class RecordingOwner : IInboundOwner
{
    public ConcurrentQueue<string> SettledIds { get; } = [];

    public ConcurrentQueue<string> NotForwardedIds { get; } = [];

    public void TakenToFlush(InboundMessage message)
    {
    }

    public void Settled(InboundMessage message) => SettledIds.Enqueue(message.Message.Id);

    public void GivenBack(InboundMessage message, GiveBackReason reason)
    {
    }

    public void NotForwarded(InboundMessage message) => NotForwardedIds.Enqueue(message.Message.Id);
}
