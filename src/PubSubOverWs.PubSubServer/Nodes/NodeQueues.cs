using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>What one node has of queues: its own, which the topic feeds, and the one that it shares with all others.</summary>
/// <param name="Node">Its id: part of its queue's name, so that no two processes ever have the same.</param>
/// <param name="Own">The queue that only this node reads while it lives.</param>
/// <param name="OwnArn">Its name for the topic.</param>
/// <param name="Shared">What is sent there is for whichever node has a subscriber first.</param>
/// <param name="TopicArn">Of the topic that feeds the queues of all nodes.</param>
internal sealed record NodeQueues(string Node, QueueUrls Own, string OwnArn, QueueUrls Shared, string TopicArn)
{
    /// <summary>Between the shared name and the id.</summary>
    private const string Separator = "-node-";

    /// <summary>Finds the topic and the shared queue, or creates them, creates the node's own and subscribes it.</summary>
    /// <exception cref="SqsException">SQS or SNS cannot be reached, or refused.</exception>
    public static async Task<NodeQueues> OpenAsync(ISqs sqs, ISns sns, string name, string node, CancellationToken cancellationToken)
    {
        var shared = await QueueUrls.OpenAsync(sqs, name, cancellationToken);
        var topicArn = await sns.CreateTopicAsync(name, cancellationToken);
        var deadLetterArn = (await sqs.GetQueueAttributesAsync(shared.DeadLetterUrl, cancellationToken)).Arn;
        var ownName = $"{name}{Separator}{node}";
        // The policy must be there before the first message is, and the ARN of a queue differs from that of its neighbour by its name only.
        var ownArn = deadLetterArn[..(deadLetterArn.LastIndexOf(':') + 1)] + ownName;
        var ownUrl = await sqs.CreateQueueAsync(
            ownName, QueueUrls.SettingsWith(deadLetterArn) with { Policy = TopicPolicy.Allow(ownArn, topicArn) }, cancellationToken);
        await sns.SubscribeQueueAsync(topicArn, ownArn, cancellationToken);
        return new NodeQueues(node, new QueueUrls(ownName, ownUrl, shared.DeadLetterUrl), ownArn, shared, topicArn);
    }

    /// <summary>What the names of all nodes' queues begin with.</summary>
    public string Prefix => Shared.Name + Separator;

    /// <summary>The node whose queue it is; null: it is of no node of ours.</summary>
    public string? NodeOf(string queueUrl)
    {
        var name = NameOf(queueUrl);
        return name.StartsWith(Prefix, StringComparison.Ordinal) && name.Length == Prefix.Length + Node.Length ? name[Prefix.Length..] : null;
    }

    public static string NameOf(string queueUrl) => queueUrl[(queueUrl.LastIndexOf('/') + 1)..];
}
