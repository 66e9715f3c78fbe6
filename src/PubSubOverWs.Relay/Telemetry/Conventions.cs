using System.Diagnostics.Metrics;

namespace PubSubOverWs.Relay;

/// <summary>
/// Names of OpenTelemetry's semantic conventions for messaging, version 1.45, and our own beside them (<c>pubsub_over_ws.</c>).
/// </summary>
public static class Conventions
{
    /// <summary>Of the spans and of the instruments of both servers.</summary>
    public const string Scope = "PubSubOverWs";

    /// <summary>The header in which a context travels with a message (W3C Trace Context).</summary>
    public const string TraceParent = "traceparent";

    public const string OperationDuration = "messaging.client.operation.duration";
    public const string ProcessDuration = "messaging.process.duration";
    public const string SentMessages = "messaging.client.sent.messages";
    public const string ConsumedMessages = "messaging.client.consumed.messages";

    public const string OperationName = "messaging.operation.name";
    public const string OperationType = "messaging.operation.type";
    public const string System = "messaging.system.name";
    public const string Destination = "messaging.destination.name";
    public const string MessageId = "messaging.message.id";
    public const string BodySize = "messaging.message.body.size";
    public const string BatchCount = "messaging.batch.message_count";
    public const string ErrorType = "error.type";

    public const string Connections = "pubsub_over_ws.connections";
    public const string Subscriptions = "pubsub_over_ws.subscriptions";
    public const string OutboxBytes = "pubsub_over_ws.outbox.size";
    public const string Received = "pubsub_over_ws.messages.received";
    public const string Delivered = "pubsub_over_ws.messages.delivered";
    public const string Dropped = "pubsub_over_ws.messages.dropped";
    public const string DropReason = "pubsub_over_ws.drop.reason";

    public const string Message = "{message}";
    public const string Seconds = "s";

    /// <summary>What clients of the servers speak; none of the conventions' own list.</summary>
    public const string Stomp = "stomp";

    /// <summary>In seconds. Those of the conventions begin at 5 ms, above most of what is measured here.</summary>
    public static readonly InstrumentAdvice<double> Durations = new()
    {
        HistogramBucketBoundaries = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    };

    /// <summary>A destination in the name of a span: few names, so that raw relay clients have one together.</summary>
    public static string NameOf(string destination) =>
        DestinationName.IsRaw(destination) ? DestinationName.Raw.TrimEnd('/') : destination;
}
