using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>
/// The queues that runs made and that are still there: of a run that goes on, or left behind by one that was killed. A topic, whose age SNS
/// does not tell, goes with the queues that it feeds; where no queue is fed, SNS is not asked, as not every endpoint has it.
/// </summary>
public sealed class Leftovers(ISqs sqs, ISns sns, TimeProvider time)
{
    /// <summary>All of them, by name, and so by the time of their run. Queues that no run named are not looked at.</summary>
    /// <exception cref="SqsException">The queue server or SNS did not answer, or refused.</exception>
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
    /// Deletes the topic that feeds it and then the queue, so that no topic stays without one. False: the queue was gone already.
    /// </summary>
    /// <exception cref="ArgumentException">No run named it, or the topic.</exception>
    /// <exception cref="SqsException">The queue server did not answer, or refused.</exception>
    public async Task<bool> DeleteAsync(Leftover leftover, CancellationToken cancellationToken)
    {
        if (!RunToken.Named(NodeNames.In(leftover.Url)))
            throw new ArgumentException($"{leftover.Url} is no queue of a run.", nameof(leftover));
        if (leftover.TopicArn is { } topic)
            await DeleteTopicAsync(topic, cancellationToken);
        try
        {
            await sqs.DeleteQueueAsync(leftover.Url, cancellationToken);
            return true;
        }
        catch (SqsException failure) when (failure.Code == SqsErrorCode.QueueDoesNotExist)
        {
            return false;
        }
    }

    // Lists lag behind: a queue that was just deleted may still be in one.
    private async Task<Leftover?> LookAsync(string url, CancellationToken cancellationToken)
    {
        try
        {
            var attributes = await sqs.GetQueueAttributesAsync(url, cancellationToken);
            return new Leftover(
                NodeNames.In(url), url, time.GetUtcNow() - attributes.CreatedAt,
                attributes.Visible + attributes.InFlight + attributes.Delayed);
        }
        catch (SqsException failure) when (failure.Code == SqsErrorCode.QueueDoesNotExist)
        {
            return null;
        }
    }

    private async Task<Dictionary<string, string>> TopicsAsync(CancellationToken cancellationToken) =>
        (await sns.ListTopicsAsync(RunToken.QueuePrefix, cancellationToken)).ToDictionary(NodeNames.In, StringComparer.Ordinal);

    private async Task DeleteTopicAsync(string arn, CancellationToken cancellationToken)
    {
        if (!RunToken.Named(NodeNames.In(arn)))
            throw new ArgumentException($"{arn} is no topic of a run.", nameof(arn));
        await sns.DeleteTopicAsync(arn, cancellationToken);
    }
}

/// <summary>A queue that a run made.</summary>
/// <param name="Name">As runs name them.</param>
/// <param name="Url">For calls.</param>
/// <param name="Age">Since it was made; null: the server does not say.</param>
/// <param name="Messages">Visible, in flight or delayed, as far as the server knows.</param>
/// <param name="TopicArn">The topic that feeds it, of a run with several pubsub servers; null: none that is there.</param>
public sealed record Leftover(string Name, string Url, TimeSpan? Age, long Messages, string? TopicArn = null);
