using Amazon.Runtime;
using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>
/// Makes a call until an attempt succeeds, or fails in a way that a retry cannot help: time-outs, retries and error messages are one code
/// for both clients. (The SDK's own retries are off, because they would repeat a receive when the server stops.)
/// </summary>
internal sealed class Attempts(SqsAddress address, SqsOptions options, TimeProvider time, QueueTraffic traffic)
{
    // Looked up again when the queue says that they have expired.
    private readonly CredentialSource _credentials = new(options);

    public SqsFaults Faults { get; } = new(address, time);

    /// <summary>The waits between attempts.</summary>
    public Retries Retries { get; } = new(options, time, traffic);

    /// <summary>The result of the first attempt that succeeds.</summary>
    /// <param name="operation">The operation to call.</param>
    /// <param name="attempt">Asks with these credentials and reads the answer; ends when its token fires.</param>
    /// <param name="wait">How long the queue was asked to keep the call open.</param>
    /// <param name="betweenAttempts">Ends the call before an attempt or while it waits for the next one; why it waits is the cause of the
    /// cancellation.</param>
    /// <param name="inFlight">Ends an attempt under way.</param>
    /// <exception cref="QueueException">The last attempt failed, or one failed in a way that a retry cannot help.</exception>
    public async ValueTask<T> RunAsync<T>(
        SqsOperation operation, Func<ImmutableCredentials, CancellationToken, Task<T>> attempt, TimeSpan wait,
        CancellationToken betweenAttempts, CancellationToken inFlight)
    {
        var mayHaveArrived = false;
        for (var number = 1; ; number++)
        {
            betweenAttempts.ThrowIfCancellationRequested();
            try
            {
                return await AttemptAsync(operation, attempt, options.RequestTimeout + wait, inFlight);
            }
            catch (QueueException failure) when (failure.IsRetryable || (IsExpired(failure) && _credentials.TryForget()))
            {
                mayHaveArrived |= failure.MayHaveArrived;
                if (operation.Kind == QueueCall.Receive && failure.MayHaveArrived && !SqsFaults.IsThrottling(failure.Code))
                    traffic.CountUnansweredReceive();
                if (await Retries.MayRetryAsync(number, failure, betweenAttempts))
                    continue;
                throw mayHaveArrived ? failure.AfterOneThatMayHaveArrived() : failure;
            }
            catch (QueueException failure) when (mayHaveArrived)
            {
                throw failure.AfterOneThatMayHaveArrived();
            }
        }
    }

    /// <summary>The items of all pages of a list.</summary>
    /// <param name="operation">The operation that is called for each.</param>
    /// <param name="readPage">Reads the page of a token (null: the first), and returns the token of the next; null or empty: none.</param>
    /// <exception cref="QueueException">A page could not be read, or the pages have no end.</exception>
    public async ValueTask<List<T>> ReadPagesAsync<T>(
        SqsOperation operation, Func<string?, ValueTask<(IEnumerable<T> Items, string? Next)>> readPage)
    {
        var items = new List<T>();
        var tokens = new HashSet<string>(StringComparer.Ordinal);
        string? next = null;
        do
        {
            var page = await readPage(next);
            items.AddRange(page.Items);
            next = page.Next;
            if (!string.IsNullOrEmpty(next) && !tokens.Add(next))
                throw Faults.BadAnswer(operation, new FormatException("The pages have no end."));
        }
        while (!string.IsNullOrEmpty(next));
        return items;
    }

    private async Task<T> AttemptAsync<T>(
        SqsOperation operation, Func<ImmutableCredentials, CancellationToken, Task<T>> attempt, TimeSpan timeout,
        CancellationToken cancellationToken)
    {
        var credentials = await _credentials.GetAsync();
        using var timer = new CancellationTokenSource(timeout, time);
        using var either = cancellationToken.CanBeCanceled
            ? CancellationTokenSource.CreateLinkedTokenSource(timer.Token, cancellationToken)
            : null;
        try
        {
            return await attempt(credentials, (either ?? timer).Token);
        }
        catch (OperationCanceledException cancelled) when (!cancellationToken.IsCancellationRequested)
        {
            // Not the caller's token, so our timer, or the handler's own for connecting.
            throw timer.IsCancellationRequested ? Faults.TimedOut(operation, timeout, cancelled) : Faults.Unreachable(cancelled);
        }
        catch (Exception failure) when (FindBrokenConnection(failure) is { } broken)
        {
            throw Faults.Unreachable(broken);
        }
        catch (Exception failure) when (failure is AmazonServiceException or AmazonClientException || SqsFaults.IsUnreadable(failure))
        {
            throw Faults.BadAnswer(operation, failure);
        }
    }

    // The SDK may pass the first on unchanged, or wrapped in its own exception.
    private static Exception? FindBrokenConnection(Exception failure)
    {
        for (var cause = failure; cause is not null; cause = cause.InnerException)
        {
            if (cause is HttpRequestException)
                return cause;
        }
        return failure is IOException or TimeoutException ? failure : null;
    }

    private static bool IsExpired(QueueException failure) => failure.Code is "ExpiredToken" or "ExpiredTokenException" or "RequestExpired";
}

/// <summary>Whether a call that failed may be made again, and the wait before it.</summary>
internal sealed class Retries(SqsOptions options, TimeProvider time, QueueTraffic traffic)
{
    private readonly Lock _lock = new();
    private readonly Random _random = new(options.Seed);

    /// <summary>Waits before a retry of a call that failed <paramref name="attempts"/> times. False: that was the last attempt.</summary>
    /// <param name="attempts">The first included.</param>
    /// <param name="failure">The failure of the last attempt; null: it failed in part.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The wait was ended; its cause is <paramref name="failure"/>.</exception>
    public async ValueTask<bool> MayRetryAsync(int attempts, QueueException? failure, CancellationToken cancellationToken)
    {
        if (attempts >= options.MaxAttempts)
            return false;
        traffic.CountRetry();
        try
        {
            await Task.Delay(DrawWait(attempts), time, cancellationToken);
        }
        catch (OperationCanceledException cancelled) when (failure is not null)
        {
            throw new OperationCanceledException(cancelled.Message, failure, cancellationToken);
        }
        return true;
    }

    /// <summary>How long to wait before a retry: "full jitter", between zero and a bound that doubles.</summary>
    /// <param name="retry">1 for the first.</param>
    public TimeSpan DrawWait(int retry)
    {
        var bound = Math.Min(options.MaxRetryDelay.TotalMilliseconds, options.RetryDelay.TotalMilliseconds * Math.Pow(2, retry - 1));
        lock (_lock)
            return TimeSpan.FromMilliseconds(bound * _random.NextDouble());
    }
}
