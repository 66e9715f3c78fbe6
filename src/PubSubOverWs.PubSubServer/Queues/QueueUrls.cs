using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>The server's queue and its dead-letter queue.</summary>
internal sealed record QueueUrls(string Name, string Url, string DeadLetterUrl)
{
    /// <summary>
    /// The most that SQS accepts: how often it handed a message out says little about poison, for what has no subscriber comes again and again.
    /// </summary>
    private const int MaxReceiveCount = 1_000;

    /// <summary>Finds both, or creates them.</summary>
    /// <exception cref="SqsException">The queue cannot be reached, or refused.</exception>
    public static async Task<QueueUrls> OpenAsync(ISqs sqs, string name, CancellationToken cancellationToken)
    {
        var deadLetterUrl = await FindOrCreateAsync(sqs, $"{name}-dead", () => ValueTask.FromResult(new QueueSettings
        {
            MaximumMessageSize = SqsLimits.MaxMessageBytes,
        }), cancellationToken);
        var url = await FindOrCreateAsync(
            sqs, name, async () => SettingsWith((await sqs.GetQueueAttributesAsync(deadLetterUrl, cancellationToken)).Arn), cancellationToken);
        return new QueueUrls(name, url, deadLetterUrl);
    }

    /// <summary>Of a queue that messages come through.</summary>
    public static QueueSettings SettingsWith(string deadLetterArn) => new()
    {
        MaximumMessageSize = SqsLimits.MaxMessageBytes,
        RedrivePolicy = new RedrivePolicy(deadLetterArn, MaxReceiveCount),
    };

    // Found first: a queue that somebody set up with other settings is used as it is, where creating it again would be refused.
    private static async Task<string> FindOrCreateAsync(
        ISqs sqs, string name, Func<ValueTask<QueueSettings>> settings, CancellationToken cancellationToken)
    {
        try
        {
            return await sqs.GetQueueUrlAsync(name, cancellationToken);
        }
        catch (SqsException missing) when (missing.Code == SqsErrorCode.QueueDoesNotExist)
        {
            return await sqs.CreateQueueAsync(name, await settings(), cancellationToken);
        }
    }
}
