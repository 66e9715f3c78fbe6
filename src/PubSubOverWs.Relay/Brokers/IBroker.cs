namespace PubSubOverWs.Relay;

/// <summary>
/// The one seam between the two servers: takes messages from the relay and sees that they come to <see cref="Subscriptions.Deliver"/>.
/// </summary>
public interface IBroker
{
    /// <summary>What the server calls itself in <c>/stats</c>: the arm of the experiment.</summary>
    string Name { get; }

    /// <summary>
    /// Takes messages that belong together (one SEND, or one transaction: all or none, except by a broker that stores nothing, which drops
    /// those that nobody can take and answers with the worst of their outcomes). Completes when the broker has taken them; delivery comes
    /// later, if at all. The caller may have several calls under way.
    /// </summary>
    /// <exception cref="BrokerRefusedException">None of the messages was taken and none will be delivered.</exception>
    ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages);

    /// <summary>
    /// What finds no room stays with this broker, which offers it again when <see cref="RoomAt"/> says so. False: it is shed.
    /// </summary>
    bool Keeps { get; }

    /// <summary>What clients together may have and not have settled; null: any amount.</summary>
    MostGiven? MostGiven => null;

    /// <summary>
    /// A subscriber of <paramref name="destination"/> arrived, or one has room again after <see cref="DeliverOutcome.NoRoom"/>.
    /// Called on the hot path: must be cheap and must not block.
    /// </summary>
    void RoomAt(string destination);

    /// <summary>What <c>/stats</c> shows of the queue; null where there is none.</summary>
    QueueStats? Queue { get; }

    /// <summary>Messages that wait for room in this process and nowhere else: lost when it dies.</summary>
    int Buffered => 0;
}
