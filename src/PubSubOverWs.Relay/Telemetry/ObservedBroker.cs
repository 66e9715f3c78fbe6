using System.Diagnostics;

namespace PubSubOverWs.Relay;

/// <summary>Passes all on to the broker, and makes each publish a span while somebody listens.</summary>
internal sealed class ObservedBroker(IBroker broker) : IBroker
{
    public string Name => broker.Name;

    public bool Keeps => broker.Keeps;

    public UnsettledBudget? UnsettledBudget => broker.UnsettledBudget;

    public QueueStats? Queue => broker.Queue;

    public int Buffered => broker.Buffered;

    public void RoomAt(string destination) => broker.RoomAt(destination);

    public ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages)
    {
        if (!RelayTelemetry.IsTraced)
            return broker.PublishAsync(messages);
        // The first that is recorded decides: a transaction may bring several.
        ActivityContext parent = default;
        List<ActivityLink>? links = null;
        for (var i = 0; i < messages.Count; i++)
        {
            if (TraceContext.Of(messages[i]) is not { } context)
                continue;
            var isRecorded = TraceContext.IsRecorded(context);
            if (parent == default || (isRecorded && !TraceContext.IsRecorded(parent)))
                parent = context;
            if (isRecorded && messages.Count > 1)
                (links ??= []).Add(new ActivityLink(context));
        }
        var span = RelayTelemetry.Start("publish", ActivityKind.Producer, parent, links);
        return span is not null ? PublishAsync(messages, span) : broker.PublishAsync(messages);
    }

    // Messages of one transaction are published together, by one span.
    private async ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages, Activity span)
    {
        span.DisplayName = $"publish {Conventions.NameOf(messages[0].Destination)}";
        RelayTelemetry.Describe(span, "publish", messages[0]);
        if (messages.Count > 1)
            span.SetTag(Conventions.BatchCount, messages.Count);
        try
        {
            var outcome = await broker.PublishAsync([.. messages.Select(message => TraceContext.In(message, span))]);
            RelayTelemetry.Stop(span, outcome == PublishOutcome.Taken ? null : $"{outcome}");
            return outcome;
        }
        catch (Exception failure)
        {
            var isRefused = failure is BrokerRefusedException;
            RelayTelemetry.Stop(span, isRefused ? "refused" : failure.GetType().FullName, isRefused ? failure.Message : null);
            throw;
        }
    }
}
