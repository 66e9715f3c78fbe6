namespace PubSubOverWs.Relay;

/// <summary>
/// One message on its way out, and what its broker wants to know of it. For a queue exactly one of <see cref="OnSettled"/> and
/// <see cref="OnGivenBack"/> is called for each time that <see cref="Subscriptions.Deliver"/> said <see cref="DeliverOutcome.Taken"/>;
/// for a topic <see cref="OnSettled"/> once, before <see cref="Subscriptions.Deliver"/> returns: each present subscription has its copy
/// then, or missed it. Both are called from any thread and must not block.
/// </summary>
public abstract class Delivery(Message message)
{
    public Message Message { get; } = message;

    /// <summary>How often it was handed to a subscriber's outbox so far.</summary>
    public int Deliveries { get; internal set; }

    /// <summary>Shown to the subscriber as <c>redelivered:true</c>.</summary>
    public bool Redelivered { get; set; }

    /// <summary>
    /// After <see cref="DeliverOutcome.NoRoom"/> and <see cref="DeliverOutcome.Missed"/>: how many copies found none. Always 1 for a queue.
    /// </summary>
    public int WithoutRoom { get; internal set; } = 1;

    /// <summary>What the broker keeps in memory until a queue's message is settled, in bytes; 0: nothing that it bounds.</summary>
    public virtual long Memory => 0;

    /// <summary>A broker that keeps it sets this: it goes before those that come after it.</summary>
    public bool HasWaited { get; set; }

    /// <summary>
    /// A queue's subscriber with <c>ack:auto</c> took it: it will be settled when it is flushed. A broker may take it as settled now.
    /// Within the locks of the subscription: it must only take note.
    /// </summary>
    protected internal virtual void OnTakenToFlush()
    {
    }

    /// <summary>
    /// The subscriber has it: <c>ack:auto</c> once the frame was flushed to the socket, otherwise once it was acknowledged.
    /// </summary>
    protected internal abstract void OnSettled();

    /// <summary>It is the broker's again: to the next subscription, to the queue, or lost and counted.</summary>
    protected internal abstract void OnGivenBack(GiveBackReason reason);
}
