namespace PubSubOverWs.Record.Accounting;

/// <summary>
/// One message for one recipient, and its outcome: a line of samples.csv.gz. All times are from the iteration's start on one monotonic
/// clock; null: it did not happen.
/// </summary>
/// <param name="MessageId">The application id, the same for every copy of the message.</param>
/// <param name="Recipient">The user that the scenario addresses, connected or not.</param>
/// <param name="Due">The scheduled time of the send.</param>
/// <param name="Sent">When it was handed to the socket.</param>
/// <param name="Receipt">When the broker's answer to the SEND arrived.</param>
/// <param name="Received">When the first intact copy arrived.</param>
public readonly record struct Attempt(
    string MessageId,
    int Publisher,
    int Recipient,
    TimeSpan Due,
    TimeSpan? Sent,
    TimeSpan? Receipt,
    TimeSpan? Received,
    Outcome Outcome,
    Cause Cause)
{
    /// <summary>Index of its flow in the scenario, from 0.</summary>
    public int Flow { get; init; }

    /// <summary>Ties it to attempts of other flows, such as a request to its reply. Null: it stands alone.</summary>
    public string? CorrelationId { get; init; }

    /// <summary>The latency of open-loop work, which includes stalls of the sender. Never filtered: negative readings are kept.</summary>
    public TimeSpan? LatencyFromDue => Received - Due;

    /// <summary>The latency of a burst, where all messages are due at once and sending them takes a while.</summary>
    public TimeSpan? LatencyFromSent => Received - Sent;

    public TimeSpan? Latency(LatencyFrom from) => from == LatencyFrom.Sent ? LatencyFromSent : LatencyFromDue;
}

/// <summary>Why an attempt was not delivered. A delivered attempt has <see cref="None"/>, every other exactly one cause.</summary>
public enum Cause
{
    None,
    ConnectRefused,
    ConnectTimeout,

    /// <summary>The HTTP answer to the WebSocket upgrade was not 101; events.csv has the status.</summary>
    HandshakeRejected,
    SendError,

    /// <summary>A receipt said that every subscriber's outbox was full.</summary>
    Shed,

    /// <summary>A receipt said that the destination had no subscriber.</summary>
    NoSubscriber,

    /// <summary>The server closed the connection before the message arrived.</summary>
    ServerClosed,

    /// <summary>No other cause is known: it had not arrived by the deadline.</summary>
    Deadline,
}

/// <summary>The bucket of an attempt. The order is the precedence: the first that applies is taken.</summary>
public enum Outcome
{
    /// <summary>Received, intact, within the deadline.</summary>
    Delivered,

    /// <summary>Received after the deadline; counts as lost in the end-to-end rate.</summary>
    Late,

    /// <summary>The broker never had it: no connection, no send, or a negative receipt.</summary>
    Refused,

    /// <summary>In the dead-letter queue when the iteration ended.</summary>
    DeadLettered,

    /// <summary>In the queue, or held by the server, when the iteration ended.</summary>
    StillQueued,

    /// <summary>The broker acknowledged it, and it never arrived.</summary>
    LostAcknowledged,

    /// <summary>It was sent, was not acknowledged, and never arrived.</summary>
    LostUnacknowledged,
}
