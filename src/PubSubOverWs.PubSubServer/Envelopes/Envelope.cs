using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// The body of one SQS message: JSON, so that it can be read in a queue browser. One SEND makes one message; a transaction makes several
/// that travel, and are taken, together. Headers travel in the body, because SQS allows ten attributes only.
/// </summary>
/// <param name="Origin">Null unless it came from a raw relay connection.</param>
/// <param name="Messages">One or more.</param>
/// <param name="Deliveries">
/// For each message how many of its deliveries had failed when it was sent on; null: it was not with a subscriber before.
/// </param>
internal sealed record Envelope(EnvelopeOrigin? Origin, IReadOnlyList<Message> Messages, IReadOnlyList<int?>? Deliveries = null)
{
    /// <summary>Written as <c>version</c>. A reader refuses any other, because it might lose something.</summary>
    public const int Version = 1;
}

/// <summary>The raw relay connection that published an envelope and waits for its own message.</summary>
/// <param name="Node">The server process that has the connection.</param>
/// <param name="Connection">The connection's id, unique over all nodes.</param>
internal sealed record EnvelopeOrigin(string Node, string Connection)
{
    /// <summary>Reads it out of <c>/raw/NODE.NUMBER</c>; null for any other destination.</summary>
    public static EnvelopeOrigin? From(Message message)
    {
        if (!DestinationName.IsRaw(message.Destination))
            return null;
        var connection = message.Destination[(message.Destination.LastIndexOf('/') + 1)..];
        return new EnvelopeOrigin(connection.Split('.')[0], connection);
    }
}

/// <summary>One publish on its way to the queue, encoded.</summary>
internal sealed class Outgoing
{
    private bool _isDecided;

    /// <param name="origin">Null unless it came from a raw relay connection.</param>
    /// <param name="messages">The elements of the envelope's array (<see cref="EnvelopeJson.WriteMessages"/>).</param>
    /// <param name="givenUp">
    /// Fires when its publisher no longer waits for it. If it is not being sent by then, it never is; its outcome is known at once, and it
    /// holds nothing: calls that hang would make given-up publishes pile up.
    /// </param>
    public Outgoing(EnvelopeOrigin? origin, ReadOnlyMemory<byte> messages, CancellationToken givenUp = default)
    {
        Origin = origin;
        Messages = messages;
        GivenUp = givenUp;
        givenUp.UnsafeRegister(static publish => ((Outgoing)publish!).GiveUp(), this);
    }

    public CancellationToken GivenUp { get; }

    public EnvelopeOrigin? Origin { get; }

    /// <summary>How many messages it has.</summary>
    public int Count { get; init; } = 1;

    /// <summary>All of them are to topics.</summary>
    public bool IsForTopics { get; init; }

    /// <summary>How much of an envelope it fills, in publishes that may share one. Set before it waits for a call.</summary>
    public int Weight { get; set; } = 1;

    /// <summary>It is the first in its envelope, or alone in it. Known once it has its outcome.</summary>
    public bool IsFirst { get; set; }

    /// <summary>Empty once it was given up.</summary>
    public ReadOnlyMemory<byte> Messages { get; private set; }

    public TaskCompletionSource<EntryResult> Outcome { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>It is being sent from now on. False: it was given up. Whichever comes first decides.</summary>
    public bool TryTake() => !Interlocked.Exchange(ref _isDecided, true);

    private void GiveUp()
    {
        if (!TryTake())
            return;
        Messages = default;
        Outcome.TrySetCanceled(GivenUp);
    }
}
