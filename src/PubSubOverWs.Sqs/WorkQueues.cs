using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>The queues that messages come through: one to read, its dead-letter queue and its parked queue.</summary>
public static class WorkQueues
{
    /// <summary>
    /// The most that SQS accepts: the receive count says little about poison, because a message that is held for long is received again
    /// every 12 h.
    /// </summary>
    private const int MaxReceiveCount = 1_000;

    /// <summary>Finds the three, or creates them.</summary>
    /// <exception cref="QueueException">The queue cannot be reached, or refused.</exception>
    public static async ValueTask<QueueUrls> OpenAsync(ISqs sqs, string name, CancellationToken cancellationToken)
    {
        var deadLetterUrl = await FindOrCreateAsync(
            sqs, $"{name}-dead", () => new(new QueueSettings { MaximumMessageSize = QueueLimits.MaxMessageBytes }), cancellationToken);
        var url = await FindOrCreateAsync(
            sqs, name, async () => SettingsWith((await sqs.GetQueueAttributesAsync(deadLetterUrl, cancellationToken)).Arn),
            cancellationToken);
        var parkedUrl = await FindOrCreateAsync(
            sqs, $"{name}-parked", async () => ParkedSettings((await sqs.GetQueueAttributesAsync(url, cancellationToken)).Settings),
            cancellationToken);
        return new QueueUrls(name, url, deadLetterUrl, parkedUrl);
    }

    /// <summary>Deletes the three.</summary>
    /// <exception cref="QueueException">The queue cannot be reached, or refused.</exception>
    public static async ValueTask DeleteAsync(ISqs sqs, QueueUrls urls, CancellationToken cancellationToken)
    {
        foreach (var url in urls.All)
        {
            try
            {
                await sqs.DeleteQueueAsync(url, cancellationToken);
            }
            catch (QueueException gone) when (gone.Code == SqsErrorCode.QueueDoesNotExist)
            {
                // It is what was asked for.
            }
        }
    }

    /// <summary>Of a queue that messages come through.</summary>
    public static QueueSettings SettingsWith(string deadLetterArn) => new()
    {
        MaximumMessageSize = QueueLimits.MaxMessageBytes,
        RedrivePolicy = new RedrivePolicy(deadLetterArn, MaxReceiveCount),
    };

    // It keeps messages for as long as the queue does, and never moves one away.
    private static QueueSettings ParkedSettings(QueueSettings queue) =>
        new() { MaximumMessageSize = QueueLimits.MaxMessageBytes, MessageRetention = queue.MessageRetention };

    // Looked up first: an existing queue with other settings is used as it is, while creating it again would be refused.
    private static async Task<string> FindOrCreateAsync(
        ISqs sqs, string name, Func<ValueTask<QueueSettings>> settings, CancellationToken cancellationToken)
    {
        try
        {
            return await sqs.GetQueueUrlAsync(name, cancellationToken);
        }
        catch (QueueException missing) when (missing.Code == SqsErrorCode.QueueDoesNotExist)
        {
            return await sqs.CreateQueueAsync(name, await settings(), cancellationToken);
        }
    }
}
