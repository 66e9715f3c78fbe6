using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>For tests in which no subscriber speaks.</summary>
internal sealed class NoOwner : IInboundOwner
{
    public void TakenToFlush(InboundMessage message)
    {
    }

    public void Settled(InboundMessage message)
    {
    }

    public void GivenBack(InboundMessage message, GiveBackReason reason)
    {
    }

    public void NotForwarded(InboundMessage message)
    {
    }

    public static Lease Lease(params Message[] messages)
    {
        var received = Sample.Received(messages);
        Assert.True(EnvelopeJson.TryRead(received.Body, out var envelope, out _));
        return new Lease(received, envelope, _ => 0, new NoOwner());
    }
}
