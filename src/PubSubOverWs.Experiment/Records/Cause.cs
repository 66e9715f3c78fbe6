namespace PubSubOverWs.Experiment.Records;

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
