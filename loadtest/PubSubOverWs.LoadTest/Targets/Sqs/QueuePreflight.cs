using PubSubOverWs.LoadTest.Targets.Drain;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>
/// Checks that a queue answers, accepts the credentials, and is the intended one, before anything is started.
/// </summary>
public static class QueuePreflight
{
    /// <exception cref="RefusalException">It cannot be used; the sentence says why.</exception>
    public static Task CheckAsync(
        QueueTarget target, TimeProvider time, CancellationToken stopping) => QueueCalls.WithAsync(target, time, async sqs =>
    {
        try
        {
            // Any answer will do; the expected one is that there is no such queue.
            return await sqs.GetQueueUrlAsync(RunToken.QueuePrefix + "preflight", stopping);
        }
        catch (SqsException failure) when (failure.Code == SqsErrorCode.QueueDoesNotExist)
        {
            return null;
        }
    });

    /// <summary>Several pubsub servers also need SNS, and the run lists topics to delete its own.</summary>
    /// <exception cref="RefusalException">It cannot be used; the sentence says why.</exception>
    public static Task CheckTopicsAsync(
        QueueTarget target, TimeProvider time, CancellationToken stopping) => QueueCalls.WithAsync(target, time, async _ =>
    {
        using var sns = target.ConnectTopics(localSqs: null, time);
        return await sns.ListTopicsAsync(RunToken.QueuePrefix, stopping);
    });

    /// <summary>Refuses a running server that uses AWS without the user's knowledge.</summary>
    /// <param name="server">Its address.</param>
    /// <param name="stats">Its /stats.</param>
    /// <exception cref="RefusalException">It uses AWS without <c>--sqs aws</c>.</exception>
    public static void CheckServer(Uri server, string stats, QueueTarget target)
    {
        if (target is AwsTarget || StatsReader.QueueIn(stats) is not { } queue || !Uri.TryCreate(queue.Url, UriKind.Absolute, out var url)
            || !AwsHost.IsSqs(url))
            return;
        throw new RefusalException(
            $"The server at {server} uses Amazon SQS ({url.Host}), which costs money: use --sqs aws and --region; the run first shows the "
                + "cost.");
    }
}
