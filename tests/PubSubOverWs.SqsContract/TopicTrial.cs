using System.Text;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>
/// SNS for one trial of a behaviour: through the client and by calls written by hand, with topics that are deleted afterwards.
/// </summary>
public sealed class TopicTrial(ISns sns, RawSns raw)
{
    private readonly HashSet<string> _topics = [];

    public ISns Sns => sns;

    /// <summary>For calls that the client would not send, or answers that it would not show.</summary>
    public RawSns Raw => raw;

    public async Task<string> CreateAsync(string name)
    {
        var arn = await sns.CreateTopicAsync(name, CancellationToken.None);
        _topics.Add(arn);
        return arn;
    }

    /// <summary>Publishes a batch, all of which must be taken.</summary>
    public async Task PublishAsync(string topicArn, params string[] texts) =>
        Assert.All(await TryPublishAsync(topicArn, texts), result => Assert.Null(result.Failure));

    public async Task<IReadOnlyList<EntryResult>> TryPublishAsync(string topicArn, params string[] texts) => await sns.PublishBatchAsync(
        topicArn, [.. texts.Select(text => new ReadOnlyMemory<byte>(Encoding.UTF8.GetBytes(text)))], CancellationToken.None);

    public async Task DeleteAllAsync()
    {
        foreach (var arn in _topics)
            await sns.DeleteTopicAsync(arn, CancellationToken.None);
        _topics.Clear();
    }
}

/// <summary>A queue that gets the messages of a topic.</summary>
/// <param name="Url">To receive from.</param>
/// <param name="Arn">Its name for SNS.</param>
/// <param name="SubscriptionArn">For ending the subscription.</param>
public sealed record Subscriber(string Url, string Arn, string SubscriptionArn);
