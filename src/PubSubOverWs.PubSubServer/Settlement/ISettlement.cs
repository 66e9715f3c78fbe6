namespace PubSubOverWs.PubSubServer;

/// <summary>
/// What is to be done to the queue, decided here and carried out later, in the background. Called from any thread; does not block.
/// </summary>
internal interface ISettlement
{
    /// <summary>All is settled.</summary>
    void Delete(Lease lease);

    /// <summary>The queue shall hand the whole of it out again, after <paramref name="hidden"/> (whole seconds; zero: at once).</summary>
    void Release(Lease lease, TimeSpan hidden);

    /// <summary>Sends messages again in an envelope of their own, hidden for so long, and settles them in this lease.</summary>
    void SendAgain(Lease lease, IReadOnlyList<InboundMessage> messages, TimeSpan hidden);

    /// <summary>Sends the message to the parked queue, where it waits for a subscriber with room, and settles it in its lease.</summary>
    void Park(InboundMessage message);

    /// <summary>Sends the message where other nodes get it, and settles it in its lease.</summary>
    void Forward(InboundMessage message, EnvelopeSender way);

    /// <summary>Sends the message to the dead-letter queue, and settles it in its lease.</summary>
    void DeadLetter(InboundMessage message);

    /// <summary>Sends what is no envelope to the dead-letter queue as it is, and deletes it.</summary>
    void DeadLetterWhole(Lease lease);
}
