using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>What one arm sent at one level, over all iterations that count.</summary>
/// <param name="Arm">Its name.</param>
/// <param name="Users">The level.</param>
/// <param name="Delivered">What <see cref="PerMessage"/> is divided by.</param>
/// <param name="Clients">Bytes to clients, by kind; null: not known of every iteration.</param>
/// <param name="Queue">Calls and bytes to the queue, by kind; null: not known of every iteration.</param>
public sealed record EgressRow(string Arm, int Users, long Delivered, ClientBytes? Clients, QueueTraffic? Queue)
{
    /// <summary>Bytes and calls per delivered message; each null where nothing was delivered, or the amount is not known.</summary>
    public EgressPerMessage PerMessage => new(
        Of(Clients?.Payload),
        Of(Clients?.Stomp),
        Of(Clients?.WebSocket),
        Of(Clients?.Total),
        Of(Queue?.BytesOut),
        Of(Queue?.Calls),
        Of(Queue?.BytesIn),
        Of(Clients?.Total + Queue?.BytesOut.Total));

    private double? Of(long? amount) => Delivered == 0 ? null : (double?)amount / Delivered;

    private QueuePerMessage? Of(QueueCounts? counts) => Delivered == 0 || counts is not { } all
        ? null
        : new(Of(all.Send)!.Value, Of(all.Receive)!.Value, Of(all.Delete)!.Value, Of(all.ChangeVisibility)!.Value, Of(all.Other)!.Value,
            Of(all.Total)!.Value);
}
