using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>What one arm sent at one level, over all iterations that count.</summary>
/// <param name="Arm">direct or pubsub.</param>
/// <param name="Users">The level.</param>
/// <param name="Delivered">What everything here is divided by.</param>
/// <param name="Clients">Bytes to clients, by kind; null: not known of every iteration.</param>
/// <param name="Queue">Calls and bytes to the queue, by kind; null: not known of every iteration.</param>
public sealed record EgressRow(string Arm, int Users, long Delivered, ClientBytes? Clients, QueueTraffic? Queue)
{
    /// <summary>Null: nothing was delivered, or the amount is not known.</summary>
    public double? PerDelivered(double? amount) => Delivered == 0 ? null : amount / Delivered;

    /// <summary>Bytes to clients and to the queue, per delivered message: what an operator pays.</summary>
    public double? TotalPerDelivered => PerDelivered(Clients?.Total + Queue?.BytesOut.Total);
}
