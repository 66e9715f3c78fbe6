namespace PubSubOverWs.Experiment.Published;

/// <summary>The published bandwidth beside what was delivered with it.</summary>
/// <param name="Users">The level.</param>
/// <param name="Delivered">Delivered messages, pubsub/direct, by Table I.</param>
/// <param name="Bandwidth">Bandwidth out, pubsub/direct, by Table IV.</param>
public sealed record DeliveredRatio(int Users, double Delivered, double Bandwidth)
{
    /// <summary>Bandwidth out for one delivered message, pubsub/direct.</summary>
    public double PerMessage => Bandwidth / Delivered;

    public static IReadOnlyList<DeliveredRatio> All(Paper paper) =>
        [.. paper.Loss.Join(paper.BandwidthOut, loss => loss.Users, row => row.Users, (loss, row) =>
            new DeliveredRatio(row.Users, loss.PubSub.Success / loss.Direct.Success, row.Ratio))];
}
