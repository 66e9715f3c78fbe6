using PubSubOverWs.LoadTest.Targets.Drain;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>
/// Checks a queue before anything is started: that it answers, accepts the credentials, and is the intended one.
/// </summary>
public static class QueuePreflight
{
    /// <exception cref="RefusalException">It cannot be used; the sentence says why.</exception>
    public static Task CheckAsync(
        QueueTarget target, TimeProvider time, CancellationToken stopping) => QueueCalls.WithAsync(target, time, async sqs =>
    {
        try
        {
            // Any answer will do; that there is no such queue is the one we hope for.
            return await sqs.GetQueueUrlAsync(RunToken.QueuePrefix + "preflight", stopping);
        }
        catch (SqsException failure) when (failure.Code == SqsErrorCode.QueueDoesNotExist)
        {
            return null;
        }
    });

    /// <summary>Several pubsub servers need SNS beside the queue, and the run itself lists the topics to delete its own.</summary>
    /// <exception cref="RefusalException">It cannot be used; the sentence says why.</exception>
    public static Task CheckTopicsAsync(
        QueueTarget target, TimeProvider time, CancellationToken stopping) => QueueCalls.WithAsync(target, time, async _ =>
    {
        using var sns = target.ConnectTopics(localSqs: null, time);
        return await sns.ListTopicsAsync(RunToken.QueuePrefix, stopping);
    });

    /// <summary>A server that was already there may use AWS, whatever the run was told.</summary>
    /// <param name="server">Its address.</param>
    /// <param name="stats">What it answered.</param>
    /// <param name="target">What the run was told.</param>
    /// <exception cref="RefusalException">It uses AWS without <c>--sqs aws</c>.</exception>
    public static void CheckServer(Uri server, string stats, QueueTarget target)
    {
        if (target is AwsTarget || StatsReader.QueueIn(stats) is not { } queue || !Uri.TryCreate(queue.Url, UriKind.Absolute, out var url)
            || !AwsHost.IsSqs(url))
            return;
        throw new RefusalException(
            $"The server at {server} uses Amazon SQS ({url.Host}), which costs money: use --sqs aws and --region, and the run says first "
                + "how much.");
    }
}
