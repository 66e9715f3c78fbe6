using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.Experiment.Accounting;

/// <summary>
/// One message meant for one recipient, and what became of it: one row of samples/. All times are from the iteration's start on one
/// monotonic clock; null when it did not happen.
/// </summary>
/// <param name="MessageId">The application id, the same for every copy of the message.</param>
/// <param name="Publisher">The user who sends.</param>
/// <param name="Recipient">The user the scenario means it for, connected or not.</param>
/// <param name="Due">When the schedule wanted it sent.</param>
/// <param name="Sent">When it was handed to the socket.</param>
/// <param name="Receipt">When the broker's answer to the SEND came.</param>
/// <param name="Received">When the first intact copy came.</param>
/// <param name="Outcome">The bucket.</param>
/// <param name="Cause">Why it was not delivered.</param>
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
    /// <summary>The place of its flow in the scenario, from 0.</summary>
    public int Flow { get; init; }

    /// <summary>What ties it to attempts of other flows, such as a request to its reply. Null: nothing does.</summary>
    public string? CorrelationId { get; init; }

    /// <summary>The latency of open-loop work: a stall of the sender is inside. Never filtered, negative readings are kept.</summary>
    public TimeSpan? LatencyFromDue => Received - Due;

    /// <summary>The latency of a burst, where everything is due at once and the sender needs a while to get it out.</summary>
    public TimeSpan? LatencyFromSent => Received - Sent;

    /// <summary>The latency that its flow is judged by.</summary>
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

    /// <summary>A receipt said that nobody subscribed to the destination.</summary>
    NoSubscriber,

    /// <summary>The server closed the connection before the message came.</summary>
    ServerClosed,

    /// <summary>Nothing else is known: it had not come when the time was up.</summary>
    Deadline,
}

/// <summary>The one bucket an attempt ends in. The order is the precedence: the first that fits is taken.</summary>
public enum Outcome
{
    /// <summary>Received, intact, within the deadline.</summary>
    Delivered,

    /// <summary>Received after the deadline; counts as lost in the end-to-end rate.</summary>
    Late,

    /// <summary>The broker never had it: no connection, no send, or a receipt that said it was not taken.</summary>
    Refused,

    /// <summary>In the dead-letter queue when the iteration ended.</summary>
    DeadLettered,

    /// <summary>In the queue, or held by the server, when the iteration ended.</summary>
    StillQueued,

    /// <summary>A receipt said the broker had taken it, and it never came.</summary>
    LostAcknowledged,

    /// <summary>It was sent, nobody promised anything, and it never came.</summary>
    LostUnacknowledged,
}
