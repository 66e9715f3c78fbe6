namespace PubSubOverWs.Experiment.Reports;

/// <summary>What one delivered message took, on average. Null: not known, or nothing was delivered.</summary>
/// <param name="Payload">Bytes of it to clients.</param>
/// <param name="Stomp">Bytes of STOMP framing to clients.</param>
/// <param name="WebSocket">Bytes of WebSocket framing to clients.</param>
/// <param name="Clients">All bytes to clients.</param>
/// <param name="QueueBytesOut">Bytes of requests to the queue.</param>
/// <param name="QueueCalls">Requests to the queue.</param>
/// <param name="QueueBytesIn">Bytes of the queue's answers.</param>
/// <param name="BytesOut">Bytes to clients and to the queue: what an operator pays.</param>
public sealed record EgressPerMessage(
    double? Payload,
    double? Stomp,
    double? WebSocket,
    double? Clients,
    QueuePerMessage? QueueBytesOut,
    QueuePerMessage? QueueCalls,
    double? QueueBytesIn,
    double? BytesOut);
