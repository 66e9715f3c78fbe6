using System.Collections.Concurrent;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>
/// Remembers what became of the messages of leases. Safe from any thread, for several calls to a queue are under way at once.
/// </summary>
internal sealed class RecordingOwner : IInboundOwner
{
    public ConcurrentQueue<string> SettledIds { get; } = [];

    public ConcurrentQueue<string> NotForwardedIds { get; } = [];

    /// <summary>For a test that does not look at what becomes of it.</summary>
    public static Lease LeaseOf(params Message[] messages) => new RecordingOwner().Lease(Sample.Received(messages));

    public Lease Lease(ReceivedMessage received)
    {
        Assert.True(EnvelopeJson.TryRead(received.Body, out var envelope, out _));
        return new Lease(received, envelope, _ => 0, this);
    }

    public void TakenToFlush(InboundMessage message)
    {
    }

    public void Settled(InboundMessage message) => SettledIds.Enqueue(message.Message.Id);

    public void GivenBack(InboundMessage message, GiveBackReason reason)
    {
    }

    public void NotForwarded(InboundMessage message) => NotForwardedIds.Enqueue(message.Message.Id);
}
