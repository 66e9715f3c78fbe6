using System.Buffers.Text;

namespace PubSubOverWs.Relay;

/// <summary>
/// The one seam between the two servers: takes messages from the relay and sees that they come to <see cref="Subscriptions.Deliver"/>.
/// The types that pass through it are in this file.
/// </summary>
public interface IBroker
{
    /// <summary>The name of the server in <c>/stats</c>: the arm of the experiment.</summary>
    string Name { get; }

    /// <summary>
    /// Takes messages that belong together (one SEND, or one transaction): all or none, except that a broker without a store drops those
    /// that cannot be delivered and answers with the worst of their outcomes. Completes when the broker has taken them; delivery comes
    /// later, if at all. The caller may have several calls under way. Takes no token: a publish that has begun is finished, within the
    /// broker's own time-out.
    /// </summary>
    /// <exception cref="BrokerRefusedException">
    /// The messages were not taken and will not be delivered, or their outcome is unknown; the text says which.
    /// </exception>
    ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages);

    /// <summary>
    /// A message that finds no room stays with this broker, which offers it again when <see cref="RoomAt"/> is called. False: it is shed.
    /// </summary>
    bool Keeps { get; }

    /// <summary>How much all clients together may have been given and not have settled; null: any amount.</summary>
    UnsettledBudget? UnsettledBudget => null;

    /// <summary>
    /// A subscriber of <paramref name="destination"/> arrived, or one has room again after <see cref="DeliverOutcome.NoRoom"/>.
    /// Called on the hot path: must be cheap and must not block.
    /// </summary>
    void RoomAt(string destination);

    /// <summary>The queue's part of <c>/stats</c>; null for a broker without one.</summary>
    QueueStats? Queue { get; }

    /// <summary>Messages that wait for room in this process and nowhere else: they are lost when it ends.</summary>
    int Buffered => 0;
}

/// <summary>A published message, immutable, on its way from one connection to others.</summary>
/// <param name="Id">The application id: the SEND header <c>id</c>, or a generated one. The same in every copy and every redelivery.</param>
/// <param name="Destination"><c>/queue/NAME</c>, <c>/topic/NAME</c>, or <c>/raw/NODE.CONNECTION</c> for what a raw relay client
/// sent.</param>
/// <param name="Headers">Those that the sender added and every receiver sees, unescaped; without <c>id</c> and the protocol's own
/// headers.</param>
/// <param name="Body">Owned by the message: never a slice of a receive buffer.</param>
/// <param name="IsText">It came in a WebSocket text message, so the body is valid UTF-8.</param>
public sealed record Message(
    string Id, string Destination, IReadOnlyList<KeyValuePair<string, string>> Headers, ReadOnlyMemory<byte> Body, bool IsText)
{
    // Two references and two strings' own overhead.
    private const int PerHeader = 64;

    /// <summary>The memory of its body, id, destination and headers, in bytes.</summary>
    public int Size { get; } = Body.Length + (PerHeader * Headers.Count)
        + (sizeof(char) * (Id.Length + Destination.Length + CharactersOf(Headers)));

    /// <summary>
    /// The most bytes that it takes in the envelope of a queue, with a comma behind it: JSON, with the body in base64. Both servers bound
    /// transactions by it, so that they take the same ones.
    /// </summary>
    public int MaxEncodedSize
    {
        get
        {
            // {"id":"","destination":"","headers":{},"body64":"","text":false,"deliveries":2147483647}, and for each header "":"",
            var bytes = 66 + 24 + Base64.GetMaxEncodedToUtf8Length(Body.Length) + Encoded(Id) + Encoded(Destination) + (6 * Headers.Count);
            for (var i = 0; i < Headers.Count; i++)
                bytes += Encoded(Headers[i].Key) + Encoded(Headers[i].Value);
            return bytes;
        }
    }

    // A character of JSON: as it is, or at most as long as \u0000.
    private static int Encoded(string text)
    {
        var bytes = 0;
        foreach (var character in text)
            bytes += character is >= ' ' and <= '~' and not ('"' or '\\') ? 1 : 6;
        return bytes;
    }

    private static int CharactersOf(IReadOnlyList<KeyValuePair<string, string>> headers)
    {
        var characters = 0;
        for (var i = 0; i < headers.Count; i++)
            characters += headers[i].Key.Length + headers[i].Value.Length;
        return characters;
    }
}

/// <summary>The result of a publish. Only <see cref="Taken"/> counts as acknowledged.</summary>
public enum PublishOutcome
{
    /// <summary>Direct: it is in an outbox, or in the buffer if there is one. Pubsub: the queue has it.</summary>
    Taken,

    /// <summary>Direct only: the destination has no subscriber; the message is dropped and counted.</summary>
    NoSubscriber,

    /// <summary>Direct only: neither a subscriber nor the buffer, if there is one, had room; the message is dropped and counted.</summary>
    Shed,
}

/// <summary>
/// The broker did not take the messages, or does not know whether it did. The text says what happened, to what, and what to do: it goes to
/// the client.
/// </summary>
public sealed class BrokerRefusedException : Exception
{
    public BrokerRefusedException(string message)
        : base(message)
    {
    }

    public BrokerRefusedException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}

/// <summary>
/// One message on its way out, and what its broker wants to know of it. For a queue exactly one of <see cref="OnSettled"/> and
/// <see cref="OnGivenBack"/> is called for each time that <see cref="Subscriptions.Deliver"/> returned <see cref="DeliverOutcome.Taken"/>;
/// for a topic <see cref="OnSettled"/> once, before <see cref="Subscriptions.Deliver"/> returns: by then each present subscription has its
/// copy, or missed it. Both are called from any thread and must not block.
/// </summary>
public abstract class Delivery(Message message)
{
    public Message Message { get; } = message;

    /// <summary>
    /// How many of its deliveries failed: the client sent NACK for it, or its connection ended, not in order, while this was the oldest
    /// message of the subscription that was written and not settled. Counted before it is given back.
    /// </summary>
    public int Deliveries { get; internal set; }

    /// <summary>Shown to the subscriber as <c>redelivered:true</c>.</summary>
    public bool Redelivered { get; set; }

    /// <summary>
    /// After <see cref="DeliverOutcome.NoRoom"/> and <see cref="DeliverOutcome.Missed"/>: how many copies found none. Always 1 for a queue.
    /// </summary>
    public int WithoutRoom { get; internal set; } = 1;

    /// <summary>The memory that the broker keeps until a queue's message is settled, in bytes; 0: none that it bounds.</summary>
    public virtual long Memory => 0;

    /// <summary>Set by a broker that keeps it: it goes before those that come after it.</summary>
    public bool HasWaited { get; set; }

    /// <summary>While a subscriber has it, and somebody listens.</summary>
    internal Processing? Processing { get; set; }

    /// <summary>
    /// What the MESSAGE frames of all copies have in common, encoded, by STOMP version; null: there is one copy, or the first is still to
    /// be written.
    /// </summary>
    internal byte[]?[]? Tails { get; set; }

    /// <summary>
    /// A queue's subscriber with <c>ack:auto</c> took it, and settles it when it is flushed. A broker may count it as settled now. Called
    /// within the locks of the subscription: must only take note.
    /// </summary>
    protected internal virtual void OnTakenToFlush()
    {
    }

    /// <summary>The subscriber has it: <c>ack:auto</c> once the frame was flushed to the socket, otherwise once acknowledged.</summary>
    protected internal abstract void OnSettled();

    /// <summary>It is the broker's again: for the next subscription or the queue, or to be counted as lost.</summary>
    protected internal abstract void OnGivenBack(GiveBackReason reason);
}

/// <summary>The result of <see cref="Subscriptions.Deliver"/>.</summary>
public enum DeliverOutcome
{
    /// <summary>
    /// Queue: one subscription took it and will settle it or give it back. Topic: every present subscription has its copy.
    /// </summary>
    Taken,

    /// <summary>
    /// Topic only: every present subscription was offered its copy, and <see cref="Delivery.WithoutRoom"/> of them had no room for it:
    /// those copies are lost, and the broker counts them.
    /// </summary>
    Missed,

    /// <summary>The destination has no subscriber. The delivery is still the broker's.</summary>
    NoSubscriber,

    /// <summary>
    /// Queue: no subscription has room in its prefetch, its share and its outbox. Queue or topic: the delivery step
    /// (<see cref="DeliveryOptions"/>) is full. The delivery is still the broker's; <see cref="IBroker.RoomAt"/> tells when to try again.
    /// </summary>
    NoRoom,
}

/// <summary>Why a subscriber did not settle what it was given.</summary>
public enum GiveBackReason
{
    /// <summary>The client sent NACK.</summary>
    Nack,

    /// <summary>The subscription ended or its connection closed before the message was settled.</summary>
    Closed,
}

/// <summary>The convention of STOMP brokers, and our own prefix for the way back to a raw relay client.</summary>
public static class DestinationName
{
    /// <summary>The prefix of the destinations of raw relay connections.</summary>
    public const string Raw = "/raw/";

    private const string Queue = "/queue/";
    private const string Topic = "/topic/";

    /// <summary>To every present subscriber, rather than to exactly one.</summary>
    public static bool IsTopic(string name) => name.StartsWith(Topic, StringComparison.Ordinal);

    /// <summary>The way back to one raw relay connection: only that connection subscribes to it, and it is never used again.</summary>
    public static bool IsRaw(string name) => name.StartsWith(Raw, StringComparison.Ordinal);

    /// <summary>
    /// A queue keeps messages without a subscriber; a topic is for the subscribers present, and a raw relay client that left does not come
    /// back.
    /// </summary>
    public static bool IsQueue(string name) => !IsTopic(name) && !IsRaw(name);

    /// <summary>
    /// A destination that a STOMP client may send and subscribe to: <c>/queue/NAME</c> or <c>/topic/NAME</c>, with a name.
    /// </summary>
    public static bool IsOpen(string name) =>
        (name.StartsWith(Queue, StringComparison.Ordinal) && name.Length > Queue.Length) || (IsTopic(name) && name.Length > Topic.Length);

    internal static string ForRaw(string connectionId) => Raw + connectionId;
}
