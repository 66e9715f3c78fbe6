using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>
/// What a server tells OpenTelemetry, or any other listener of .NET: a span for the publish and one for each delivery of a message whose
/// trace is recorded, how long deliveries take, and the counters of <see cref="RelayMeter"/>. Without a listener it does nothing.
/// </summary>
public sealed class RelayTelemetry
{
    private static readonly ActivitySource Source = new(Conventions.Scope);
    private static readonly KeyValuePair<string, object?> IsProcess = new(Conventions.OperationName, "process");
    private static readonly KeyValuePair<string, object?> IsStomp = new(Conventions.System, Conventions.Stomp);

    private readonly TimeProvider _time;
    private readonly Histogram<double> _process;

    public RelayTelemetry(IMeterFactory meters, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(meters);
        _time = time;
        Meter = meters.Create(Conventions.Scope);
        _process = Meter.CreateHistogram(
            Conventions.ProcessDuration, Conventions.Seconds, "From when a subscriber has a message until it settles it or gives it back.",
            tags: null, Conventions.Durations);
    }

    /// <summary>For the instruments of the server's other parts.</summary>
    public Meter Meter { get; }

    /// <summary>Whether anybody listens to spans.</summary>
    public static bool IsTraced => Source.HasListeners();

    /// <summary>
    /// Starts a span that is no other's parent: what happens meanwhile on this thread, or in what it awaits, belongs to many messages.
    /// </summary>
    /// <param name="links">The contexts of all messages, if there may be several.</param>
    /// <param name="startedAt">Default: now.</param>
    /// <returns>Null: it is not recorded. To be ended by <see cref="Stop"/>.</returns>
    public static Activity? Start(
        string name, ActivityKind kind, ActivityContext parent, IEnumerable<ActivityLink>? links = null, DateTimeOffset startedAt = default)
    {
        var before = Activity.Current;
        Activity.Current = null;
        // Most are not recorded: those are never started, which would write the thread's current span twice for each message.
        var span = Source.CreateActivity(name, kind, parent, tags: null, links);
        if (span is not { Recorded: true })
            span = null;
        else if (startedAt != default)
            span.SetStartTime(startedAt.UtcDateTime);
        span?.Start();
        Activity.Current = before;
        return span;
    }

    /// <param name="error">What went wrong, one of few words; null: nothing.</param>
    /// <param name="sentence">The same for people.</param>
    public static void Stop(Activity span, string? error = null, string? sentence = null)
    {
        ArgumentNullException.ThrowIfNull(span);
        if (error is not null)
            span.SetTag(Conventions.ErrorType, error).SetStatus(ActivityStatusCode.Error, sentence);
        var before = Activity.Current;
        span.Stop();
        Activity.Current = before;
    }

    /// <summary>Counters and sizes, read when they are asked for.</summary>
    internal void Observe(RelayContext relay)
    {
        Meter.CreateObservableUpDownCounter(Conventions.Connections, () => relay.Meter.Connections.Open, "{connection}", "Open now.");
        Meter.CreateObservableUpDownCounter(Conventions.Subscriptions, () => relay.Subscriptions.Count, "{subscription}", "Open now.");
        Meter.CreateObservableUpDownCounter(
            Conventions.OutboxBytes, () => relay.OutboxBudget.Taken, "By", "Waits for clients, of the memory that all share.");
        Meter.CreateObservableCounter(
            Conventions.Received, () => relay.Meter.Messages.In, Conventions.Message, "Published by clients.");
        Meter.CreateObservableCounter(
            Conventions.Delivered, () => relay.Meter.Messages.Out, Conventions.Message, "Written to subscribers.");
        Meter.CreateObservableCounter(
            Conventions.Dropped,
            () => relay.Meter.Drops.Select(drop => new Measurement<long>(drop.Value, new KeyValuePair<string, object?>(
                Conventions.DropReason, drop.Key))),
            Conventions.Message, "Gone for good.");
    }

    /// <summary>A subscriber is about to have the message.</summary>
    internal void Begin(Delivery delivery)
    {
        if (!_process.Enabled && !IsTraced)
            return;
        var span = IsTraced && TraceContext.Of(delivery.Message) is { } context && TraceContext.IsRecorded(context)
            ? Start($"process {Conventions.NameOf(delivery.Message.Destination)}", ActivityKind.Consumer, context)
            : null;
        if (span is not null)
            Describe(span, "process", delivery.Message);
        delivery.Processing = new Processing(_time.GetTimestamp(), span);
    }

    /// <summary>It has it no longer. To be called before the broker is told, which may have it delivered again.</summary>
    /// <param name="givenBack">Why it is not settled; null: it is.</param>
    internal void End(Delivery delivery, GiveBackReason? givenBack = null)
    {
        if (delivery.Processing is not { } processing)
            return;
        delivery.Processing = null;
        var seconds = _time.GetElapsedTime(processing.Began).TotalSeconds;
        var error = givenBack switch { null => null, GiveBackReason.Nack => "nack", _ => "closed" };
        if (error is null)
            _process.Record(seconds, IsProcess, IsStomp);
        else
            _process.Record(seconds, IsProcess, IsStomp, new(Conventions.ErrorType, error));
        if (processing.Span is { } span)
            Stop(span, error);
    }

    /// <summary>What a span says of one message.</summary>
    internal static void Describe(Activity span, string operation, Message message) =>
        span.SetTag(Conventions.OperationName, operation)
            .SetTag(Conventions.OperationType, operation == "publish" ? "send" : operation)
            .SetTag(Conventions.System, Conventions.Stomp)
            .SetTag(Conventions.Destination, message.Destination)
            .SetTag(Conventions.MessageId, message.Id)
            .SetTag(Conventions.BodySize, message.Body.Length);
}

/// <summary>A delivery that a listener wants to know of.</summary>
/// <param name="Began">A time stamp.</param>
/// <param name="Span">Null: the trace of the message is not recorded.</param>
internal sealed record Processing(long Began, Activity? Span);

/// <summary>
/// The context of a message's trace, in its header <c>traceparent</c>: that which its publisher gave it, and from the server's own publish
/// span on the context of that.
/// </summary>
public static class TraceContext
{
    private const int Length = 55;

    private static ReadOnlySpan<byte> InJson => "\"traceparent\":\""u8;

    /// <summary>Null: it has none, or one that cannot be read.</summary>
    public static ActivityContext? Of(Message message)
    {
        ArgumentNullException.ThrowIfNull(message);
        for (var i = 0; i < message.Headers.Count; i++)
        {
            if (message.Headers[i].Key == Conventions.TraceParent)
                return Read(message.Headers[i].Value);
        }
        return null;
    }

    /// <summary>The recorded contexts of the messages in an envelope.</summary>
    /// <param name="envelope">JSON: what looks like a name cannot stand in a text, whose quotation marks are escaped.</param>
    public static void AddRecorded(ReadOnlySpan<byte> envelope, List<ActivityLink> links)
    {
        for (int at; (at = envelope.IndexOf(InJson)) >= 0;)
        {
            envelope = envelope[(at + InJson.Length)..];
            if (envelope.Length >= Length && Read(Encoding.ASCII.GetString(envelope[..Length])) is { } one && IsRecorded(one))
                links.Add(new ActivityLink(one));
        }
    }

    internal static bool IsRecorded(ActivityContext context) => (context.TraceFlags & ActivityTraceFlags.Recorded) != 0;

    /// <summary>The message with this context instead of its own.</summary>
    internal static Message In(Message message, Activity span) => new(
        message.Id, message.Destination,
        [.. message.Headers.Where(header => header.Key != Conventions.TraceParent), new(Conventions.TraceParent, span.Id!)],
        message.Body, message.IsText);

    private static ActivityContext? Read(string text) =>
        ActivityContext.TryParse(text, null, isRemote: true, out var context) ? context : null;
}
