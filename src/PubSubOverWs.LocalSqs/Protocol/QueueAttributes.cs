using System.Globalization;

namespace PubSubOverWs.LocalSqs;

/// <summary>The attributes that GetQueueAttributes returns: all of them strings, times in seconds.</summary>
internal static class QueueAttributes
{
    private const string RedrivePolicy = nameof(RedrivePolicy);
    private const string Policy = nameof(Policy);

    private static readonly (string Name, Func<QueueInMemory, QueueCounts, long> Value)[] Numbers =
    [
        ("ApproximateNumberOfMessages", (_, counts) => counts.Visible),
        ("ApproximateNumberOfMessagesNotVisible", (_, counts) => counts.InFlight),
        ("ApproximateNumberOfMessagesDelayed", (_, counts) => counts.Delayed),
        ("CreatedTimestamp", (queue, _) => queue.CreatedAt.ToUnixTimeSeconds()),
        ("LastModifiedTimestamp", (queue, _) => queue.LastModifiedAt.ToUnixTimeSeconds()),
        ("VisibilityTimeout", (queue, _) => (long)queue.Settings.VisibilityTimeout.TotalSeconds),
        ("MaximumMessageSize", (queue, _) => queue.Settings.MaximumMessageSize),
        ("MessageRetentionPeriod", (queue, _) => (long)queue.Settings.MessageRetention.TotalSeconds),
        ("DelaySeconds", (queue, _) => (long)queue.Settings.Delay.TotalSeconds),
        ("ReceiveMessageWaitTimeSeconds", (queue, _) => (long)queue.Settings.ReceiveWaitTime.TotalSeconds),
    ];

    private static readonly HashSet<string> Names = [.. Numbers.Select(number => number.Name), "QueueArn", RedrivePolicy, Policy];

    /// <summary>Whether a queue may have the attribute.</summary>
    public static bool Has(string name) => Names.Contains(name);

    public static Dictionary<string, string> Of(QueueInMemory queue)
    {
        var counts = queue.Count();
        var attributes = Numbers.ToDictionary(
            number => number.Name, number => number.Value(queue, counts).ToString(CultureInfo.InvariantCulture));
        attributes.Add("QueueArn", QueueStore.ArnOf(queue.Name));
        if (queue.Settings.Redrive is { } redrive)
            attributes.Add(RedrivePolicy, redrive.ToString());
        if (queue.Settings.Policy is { } policy)
            attributes.Add(Policy, policy.Text);
        return attributes;
    }
}
