using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>
/// One trial of a behaviour: the endpoint through the client and by calls written by hand, with queues that are deleted afterwards.
/// </summary>
public sealed class Trial(ISqs sqs, RawSqs raw, TopicTrial topics, Func<string> newName) : IAsyncDisposable
{
    private readonly HashSet<string> _queues = [];

    public ISqs Sqs => sqs;

    /// <summary>For calls that the client would not send, or answers that it would not show.</summary>
    public RawSqs Raw => raw;

    /// <summary>The same endpoint as one of SNS.</summary>
    public TopicTrial Topics => topics;

    /// <summary>A name that no queue has or had, of at most 50 characters.</summary>
    public string NewName() => newName();

    /// <summary>The URL of a queue that is deleted after the trial.</summary>
    public Task<string> CreateQueueAsync(QueueSettings? settings = null) => CreateQueueAsync(NewName(), settings);

    public async Task<string> CreateQueueAsync(string name, QueueSettings? settings = null)
    {
        var url = await sqs.CreateQueueAsync(name, settings ?? new QueueSettings(), CancellationToken.None);
        _queues.Add(url);
        return url;
    }

    /// <summary>The ARN of a topic that is deleted after the trial.</summary>
    public Task<string> CreateTopicAsync() => topics.CreateAsync(NewName());

    /// <summary>A queue that is subscribed to the topic, and lets it send.</summary>
    public async Task<Subscriber> SubscribeQueueAsync(string topicArn, QueueSettings? settings = null, bool allowed = true)
    {
        var url = await CreateQueueAsync(settings);
        var arn = (await sqs.GetQueueAttributesAsync(url, CancellationToken.None)).Arn;
        if (allowed)
            (await raw.SetAttributesAsync(url, new { Policy = TopicPolicy.Allow(arn, topicArn) })).ShouldBeTaken();
        return new Subscriber(url, arn, await topics.Sns.SubscribeQueueAsync(topicArn, arn, CancellationToken.None));
    }

    public async ValueTask DisposeAsync()
    {
        await topics.DeleteAllAsync();
        foreach (var url in _queues)
        {
            try
            {
                await sqs.DeleteQueueAsync(url, CancellationToken.None);
            }
            catch (QueueException gone) when (gone.Code == SqsErrorCode.QueueDoesNotExist)
            {
                // The behaviour deleted it itself.
            }
        }
    }
}
