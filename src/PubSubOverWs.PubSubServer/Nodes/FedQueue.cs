using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>A queue that a topic copies its messages into.</summary>
/// <param name="Name">Of the queue.</param>
/// <param name="Url">Of the queue.</param>
/// <param name="Arn">Of the queue.</param>
/// <param name="TopicArn">Of the topic.</param>
/// <param name="SubscriptionArn">Of the subscription that was made first; another one is another ARN, and between the two there was a
/// gap.</param>
internal sealed record FedQueue(string Name, string Url, string Arn, string TopicArn, string SubscriptionArn)
{
    /// <param name="sqs">The client of the queue.</param>
    /// <param name="sns">The client of the topic.</param>
    /// <param name="topicArn">The topic, which exists.</param>
    /// <param name="name">Of the queue, which does not exist.</param>
    /// <param name="neighbourArn">Of any queue in the same account and region.</param>
    /// <param name="settings">Without the policy.</param>
    /// <param name="cancellationToken">Ends the calls.</param>
    /// <exception cref="SqsException">SQS or SNS cannot be reached, or refused.</exception>
    public static async Task<FedQueue> OpenAsync(
        ISqs sqs, ISns sns, string topicArn, string name, string neighbourArn, QueueSettings settings, CancellationToken cancellationToken)
    {
        // The policy must be there before the first message is, and the ARNs of neighbours differ in their names only.
        var arn = neighbourArn[..(neighbourArn.LastIndexOf(':') + 1)] + name;
        var url = await sqs.CreateQueueAsync(name, settings with { Policy = TopicPolicy.Allow(arn, topicArn) }, cancellationToken);
        return new FedQueue(name, url, arn, topicArn, await sns.SubscribeQueueAsync(topicArn, arn, cancellationToken));
    }
}
