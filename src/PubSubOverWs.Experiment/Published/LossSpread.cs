namespace PubSubOverWs.Experiment.Published;

/// <summary>How far published losses vary between iterations, beside losses that fall on each message independently.</summary>
/// <param name="Users">The level, and the messages of one iteration.</param>
/// <param name="Group">direct or pubsub.</param>
/// <param name="Lost">Printed mean of lost messages, and its deviation.</param>
/// <param name="Share">The printed variance over N p (1 - p): 1 for independent losses, less where something capped them.</param>
public sealed record LossSpread(int Users, string Group, PublishedArm Lost, double Share)
{
    public static IReadOnlyList<LossSpread> All(Paper paper) =>
        [.. paper.LostMessages.SelectMany(row => new[] { Of(row.Users, "direct", row.Direct), Of(row.Users, "pubsub", row.PubSub) })];

    private static LossSpread Of(int users, string group, PublishedArm lost) =>
        new(users, group, lost, lost.Sd.Value * lost.Sd.Value / (lost.Mean.Value * (1 - (lost.Mean.Value / users))));
}
