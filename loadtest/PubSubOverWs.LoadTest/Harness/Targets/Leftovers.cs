using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>
/// The queues of runs that still exist: of a run in progress, or left by one that was killed. SNS does not report the age of a topic, so
/// it is deleted with the queues that it feeds. Not every endpoint has SNS: it is used only if there are such queues.
/// </summary>
public sealed class Leftovers(ISqs sqs, ISns sns, TimeProvider time)
{
    /// <summary>Sorted by name, and so by the time of their run. Queues with other names are ignored.</summary>
    /// <exception cref="QueueException">The queue server or SNS did not answer, or refused.</exception>
    public async Task<IReadOnlyList<Leftover>> FindAsync(CancellationToken cancellationToken)
    {
        var found = new List<Leftover>();
        foreach (var url in await sqs.ListQueuesAsync(RunToken.QueuePrefix, cancellationToken))
        {
            if (RunToken.Named(NodeNames.In(url)) && await LookAsync(url, cancellationToken) is { } leftover)
                found.Add(leftover);
        }

        var topics = found.Exists(one => NodeNames.TopicOf(one.Name) is not null) ? await TopicsAsync(cancellationToken) : [];
        return
        [
            .. from one in found.OrderBy(one => one.Name, StringComparer.Ordinal)
               select one with { TopicArn = NodeNames.TopicOf(one.Name) is { } topic ? topics.GetValueOrDefault(topic) : null },
        ];
    }

    /// <summary>
    /// Deletes the topic that feeds it, and then the queue, so that no topic remains without one. False: the queue was gone already.
    /// </summary>
    /// <exception cref="ArgumentException">The name of the queue or topic is not that of a run.</exception>
    /// <exception cref="QueueException">The queue server did not answer, or refused.</exception>
    public async Task<bool> DeleteAsync(Leftover leftover, CancellationToken cancellationToken)
    {
        if (!RunToken.Named(NodeNames.In(leftover.Url)))
            throw new ArgumentException($"{leftover.Url} is not a queue of a run.", nameof(leftover));
        if (leftover.TopicArn is { } topic)
            await DeleteTopicAsync(topic, cancellationToken);
        try
        {
            await sqs.DeleteQueueAsync(leftover.Url, cancellationToken);
            return true;
        }
        catch (QueueException failure) when (failure.Code == SqsErrorCode.QueueDoesNotExist)
        {
            return false;
        }
    }

    // A list may still contain a queue that was just deleted.
    private async Task<Leftover?> LookAsync(string url, CancellationToken cancellationToken)
    {
        try
        {
            var attributes = await sqs.GetQueueAttributesAsync(url, cancellationToken);
            return new Leftover(
                NodeNames.In(url), url, time.GetUtcNow() - attributes.CreatedAt,
                attributes.Visible + attributes.InFlight + attributes.Delayed);
        }
        catch (QueueException failure) when (failure.Code == SqsErrorCode.QueueDoesNotExist)
        {
            return null;
        }
    }

    private async Task<Dictionary<string, string>> TopicsAsync(CancellationToken cancellationToken) =>
        (await sns.ListTopicsAsync(RunToken.QueuePrefix, cancellationToken)).ToDictionary(NodeNames.In, StringComparer.Ordinal);

    private async Task DeleteTopicAsync(string arn, CancellationToken cancellationToken)
    {
        if (!RunToken.Named(NodeNames.In(arn)))
            throw new ArgumentException($"{arn} is not a topic of a run.", nameof(arn));
        await sns.DeleteTopicAsync(arn, cancellationToken);
    }
}

/// <summary>A queue of a run.</summary>
/// <param name="Age">Null: the server does not report it.</param>
/// <param name="Messages">Visible, in flight or delayed, as counted by the server.</param>
/// <param name="TopicArn">The topic that feeds it, of a run with several pubsub servers; null: none exists.</param>
public sealed record Leftover(string Name, string Url, TimeSpan? Age, long Messages, string? TopicArn = null);
