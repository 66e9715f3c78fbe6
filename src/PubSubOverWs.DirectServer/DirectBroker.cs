using Microsoft.Extensions.Options;
using PubSubOverWs.Relay;

namespace PubSubOverWs.DirectServer;

/// <summary>Publishing is delivering, at once. Stores no messages: one that no subscriber can take now is dropped and counted.</summary>
/// <param name="buffer">Keeps messages that no subscriber can take now, as the third arm of an experiment; null, the default: none.</param>
internal sealed class DirectBroker(Subscriptions subscriptions, RelayMeter meter, DirectBuffer? buffer = null) : IBroker
{
    public string Name => "direct";

    public QueueStats? Queue => null;

    public bool Keeps => buffer is not null;

    public int Buffered => buffer?.Count ?? 0;

    public ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages)
    {
        ArgumentNullException.ThrowIfNull(messages);
        var worst = PublishOutcome.Taken;
        for (var i = 0; i < messages.Count; i++)
        {
            var outcome = Deliver(new DirectDelivery(messages[i], this));
            if (outcome > worst)
                worst = outcome;
        }
        return new(worst);
    }

    public void RoomAt(string destination) => buffer?.RoomAt(destination);

    /// <summary>Offers what a subscriber gave back to the next one, at once.</summary>
    internal void DeliverAgain(DirectDelivery delivery, DropCause otherwise)
    {
        delivery.Redelivered = true;
        if (delivery.Deliveries >= DirectDelivery.MaxDeliveries)
            meter.AddDrop(DropCause.Undeliverable);
        else if (Offer(delivery) != DeliverOutcome.Taken)
            meter.AddDrop(otherwise);
    }

    private DeliverOutcome Offer(DirectDelivery delivery) => buffer is null ? subscriptions.Deliver(delivery) : buffer.Deliver(delivery);

    private PublishOutcome Deliver(DirectDelivery delivery)
    {
        switch (Offer(delivery))
        {
            case DeliverOutcome.NoSubscriber:
                meter.AddDrop(DropCause.NoSubscriber);
                return PublishOutcome.NoSubscriber;
            case DeliverOutcome.NoRoom or DeliverOutcome.Missed:
                meter.AddDrop(DropCause.Shed, delivery.WithoutRoom);
                return PublishOutcome.Shed;
            default:
                return PublishOutcome.Taken;
        }
    }
}

/// <summary>A message that exists only while its subscriber has it.</summary>
internal sealed class DirectDelivery(Message message, DirectBroker broker) : Delivery(message)
{
    /// <summary>As in the pubsub server (<c>Queue:MaxDeliveries</c>): a message that every subscriber gives back ends here.</summary>
    public const int MaxDeliveries = 10;

    protected override void OnSettled()
    {
        // There is no store to delete it from.
    }

    protected override void OnGivenBack(GiveBackReason reason) =>
        broker.DeliverAgain(this, reason == GiveBackReason.Closed ? DropCause.Closed : DropCause.Undeliverable);
}

/// <summary>Registers the broker of this server.</summary>
internal static class DirectServices
{
    public static IServiceCollection AddDirectBroker(this IServiceCollection services, IConfiguration configuration)
    {
        SettingsSection.Add<DirectOptions>(services, configuration, "Direct");
        services.AddSingleton(provider => CreateMemoryPart(provider.GetRequiredService<IOptions<DirectOptions>>().Value));
        return services.AddSingleton<IBroker>(provider =>
        {
            var subscriptions = provider.GetRequiredService<Subscriptions>();
            var meter = provider.GetRequiredService<RelayMeter>();
            var options = provider.GetRequiredService<IOptions<DirectOptions>>().Value;
            return new DirectBroker(
                subscriptions, meter,
                options.Buffer > 0 ? new DirectBuffer(subscriptions, meter, options.Buffer, options.BufferBytes) : null);
        });
    }

    // With what a message takes in addition to its bytes.
    private static MemoryPart CreateMemoryPart(DirectOptions options) =>
        new("Direct:Buffer", options.Buffer > 0 ? options.BufferBytes + ((long)options.Buffer * MemoryPart.PerMessage) : 0);
}
