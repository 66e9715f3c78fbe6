using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>One message of a received envelope, on its way to a subscriber.</summary>
/// <param name="message">What the publisher sent.</param>
/// <param name="lease">The SQS message that brought it.</param>
/// <param name="earlierDeliveries">How often earlier copies of it were handed to a subscriber, here or at the node that sent it on.</param>
/// <param name="owner">Told what the subscriber did with it.</param>
internal sealed class InboundMessage(Message message, Lease lease, int earlierDeliveries, IInboundOwner owner) : Delivery(message)
{
    public Lease Lease => lease;

    /// <summary>What it takes in memory, in bytes, without its lease.</summary>
    public long Size { get; init; }

    /// <summary>With its lease, which stays for as long as one of its messages does: that counts in full for each.</summary>
    public override long Memory => Size + lease.SizeAlone;

    /// <summary>Its place in the envelope, from 0.</summary>
    public int Index { get; init; }

    /// <summary>How often it had been delivered when its envelope was sent.</summary>
    public int CarriedDeliveries { get; init; }

    /// <summary>Its lease's to read and to change, like the next.</summary>
    public int PlaceInLease { get; set; }

    public InboundState State { get; set; }

    /// <summary>Its place among the held; null when it is not there. The store's to read and to change.</summary>
    public LinkedListNode<InboundMessage>? Place { get; set; }

    /// <summary>
    /// What <see cref="ParkedDestinations.RoomsAt"/> said before it was offered last. The dispatcher's to read and to change, like the
    /// next.
    /// </summary>
    public int Rooms { get; set; }

    /// <summary>It had no subscriber when it was offered last.</summary>
    public bool IsForNobody { get; set; }

    /// <summary>How often it was handed to a subscriber, earlier copies included.</summary>
    public int AllDeliveries => earlierDeliveries + Deliveries;

    /// <summary>Somebody else has it now: another envelope, another node, or the dead-letter queue.</summary>
    public void Settle() => owner.Settled(this);

    public void NotForwarded() => owner.NotForwarded(this);

    protected override void OnTakenToFlush() => owner.TakenToFlush(this);

    protected override void OnSettled() => owner.Settled(this);

    protected override void OnGivenBack(GiveBackReason reason) => owner.GivenBack(this, reason);
}
