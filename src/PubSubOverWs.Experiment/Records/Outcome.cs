namespace PubSubOverWs.Experiment.Records;

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
