using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>The queues and the topic of one node.</summary>
/// <param name="Node">Its id: part of its queues' names, so that no two processes ever have the same.</param>
/// <param name="Own">The queue that only this node reads while it lives; the topic feeds it, and others send to it.</param>
/// <param name="Shared">For messages whose first subscriber may come to any node.</param>
/// <param name="TopicArn">Of the topic that feeds the queues of all nodes.</param>
/// <param name="Control">The queue of announcements to this node.</param>
internal sealed record NodeQueues(string Node, FedQueue Own, QueueUrls Shared, string TopicArn, ControlQueue Control)
{
    /// <summary>Between the shared name and the id.</summary>
    private const string Separator = "-node-";

    private const string ControlSuffix = "-control";

    /// <summary>The prefix of the names of all nodes' queues.</summary>
    public string Prefix => Shared.Name + Separator;

    /// <summary>
    /// Finds the topic and the shared queue, or creates them, creates the node's own two and subscribes the one to the topic.
    /// </summary>
    /// <exception cref="QueueException">SQS or SNS cannot be reached, or refused.</exception>
    public static async Task<NodeQueues> OpenAsync(ISqs sqs, ISns sns, string name, string node, CancellationToken cancellationToken)
    {
        var shared = await sqs.OpenAsync(name, cancellationToken);
        var deadLetterArn = (await sqs.GetQueueAttributesAsync(shared.DeadLetterUrl, cancellationToken)).Arn;
        // The own queue first: by its name the others find both when this process dies in between.
        var topicArn = await sns.CreateTopicAsync(name, cancellationToken);
        var own = await FedQueue.OpenAsync(
            sqs, sns, topicArn, name + Separator + node, deadLetterArn, WorkQueues.SettingsWith(deadLetterArn), cancellationToken);
        var control = GetControlName(own.Name);
        var controlUrl = await sqs.CreateQueueAsync(
            control, new QueueSettings { MaximumMessageSize = QueueLimits.MaxMessageBytes }, cancellationToken);
        return new NodeQueues(node, own, shared, topicArn, new ControlQueue(control, controlUrl));
    }

    /// <summary>The node whose own queue it is; null: it is of no node of ours, or another of its queues.</summary>
    public string? GetNode(string queueUrl)
    {
        var name = GetName(queueUrl);
        return name.StartsWith(Prefix, StringComparison.Ordinal) && name.Length == Prefix.Length + Node.Length
            ? name[Prefix.Length..]
            : null;
    }

    public static string GetName(string queueUrl) => queueUrl[(queueUrl.LastIndexOf('/') + 1)..];

    /// <summary>The control queue of the node whose own queue is called so; of a URL, its URL.</summary>
    public static string GetControlName(string ownName) => ownName + ControlSuffix;
}

/// <summary>The queue through which a node hears what the others, and it itself, tell.</summary>
internal sealed record ControlQueue(string Name, string Url);

/// <summary>A queue that a topic copies its messages into.</summary>
/// <param name="SubscriptionArn">Of the subscription that was made first; another one is another ARN, and between the two there was a
/// gap.</param>
internal sealed record FedQueue(string Name, string Url, string Arn, string TopicArn, string SubscriptionArn)
{
    /// <param name="topicArn">The topic, which exists.</param>
    /// <param name="name">Of the queue, which does not exist.</param>
    /// <param name="neighbourArn">Of any queue in the same account and region.</param>
    /// <param name="settings">Without the policy.</param>
    /// <exception cref="QueueException">SQS or SNS cannot be reached, or refused.</exception>
    public static async Task<FedQueue> OpenAsync(
        ISqs sqs, ISns sns, string topicArn, string name, string neighbourArn, QueueSettings settings, CancellationToken cancellationToken)
    {
        // The policy must be there before the first message is, and the ARNs of neighbours differ in their names only.
        var arn = neighbourArn[..(neighbourArn.LastIndexOf(':') + 1)] + name;
        var url = await sqs.CreateQueueAsync(name, settings with { Policy = TopicPolicy.Allow(arn, topicArn) }, cancellationToken);
        return new FedQueue(name, url, arn, topicArn, await sns.SubscribeQueueAsync(topicArn, arn, cancellationToken));
    }
}
