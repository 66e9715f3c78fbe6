using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Harness.Targets;

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
        catch (QueueException failure) when (failure.Code == SqsErrorCode.QueueDoesNotExist)
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
    /// <exception cref="RefusalException">It uses AWS without <c>--sqs aws</c>.</exception>
    public static void CheckServer(Uri server, string stats, QueueTarget target)
    {
        if (target is AwsTarget || StatsReader.QueueIn(stats) is not { } queue || !Uri.TryCreate(queue.Url, UriKind.Absolute, out var url)
            || !AwsHost.IsSqs(url))
            return;
        throw new RefusalException(
            $"The server at {server} uses Amazon SQS ({url.Host}), which costs money: use --sqs aws and --region; "
                + "the run first shows the cost.");
    }
}

/// <summary>Calls to a queue that the user chose, with failures as one sentence that says what to change.</summary>
public static class QueueCalls
{
    // Their own messages say what to change.
    private static readonly string[] Refused =
    [
        SqsErrorCode.EndpointElsewhere, "AccessDenied", "AccessDeniedException", SnsErrorCode.AuthorizationError, "InvalidClientTokenId",
        "UnrecognizedClientException",
        "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidSignatureException", "ExpiredToken", "ExpiredTokenException",
    ];

    /// <param name="target">Not the embedded queue.</param>
    /// <exception cref="RefusalException">A call failed.</exception>
    public static async Task<T> WithAsync<T>(QueueTarget target, TimeProvider time, Func<ISqs, Task<T>> work)
    {
        try
        {
            using var sqs = target.Connect(localSqs: null, time);
            return await work(sqs);
        }
        catch (QueueException failure) when (Refused.Contains(failure.Code))
        {
            throw new RefusalException(failure.Message, failure);
        }
        catch (QueueException failure) when (failure.Code is SqsErrorCode.NoCredentials or SqsErrorCode.NoRegion)
        {
            throw new RefusalException($"{Capital(target.Name)} needs credentials and a region: {failure.Message}", failure);
        }
        catch (QueueException failure)
        {
            var check = target is AwsTarget ? "--region and the internet connection" : target.NamedBy;
            throw new RefusalException(
                ExitCode.Unreachable, $"{Capital(target.Name)} cannot be used: {failure.Message} Check {check}.", failure);
        }
    }

    private static string Capital(string name) => char.ToUpperInvariant(name[0]) + name[1..];
}
