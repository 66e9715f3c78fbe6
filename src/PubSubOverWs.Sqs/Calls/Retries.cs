namespace PubSubOverWs.Sqs;

/// <summary>Whether a call that failed may be made again, and the wait before it.</summary>
internal sealed class Retries(SqsOptions options, TimeProvider time, SqsTraffic traffic)
{
    private readonly RetrySchedule _schedule = new(options);

    /// <summary>Waits before a retry of a call that failed <paramref name="attempts"/> times. False: that was the last attempt.</summary>
    /// <param name="attempts">The first included.</param>
    /// <param name="failure">The failure of the last attempt; null: it failed in part.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The wait was ended; its cause is <paramref name="failure"/>.</exception>
    public async ValueTask<bool> MayRetryAsync(int attempts, SqsException? failure, CancellationToken cancellationToken)
    {
        if (attempts >= options.MaxAttempts)
            return false;
        traffic.CountRetry();
        try
        {
            await Task.Delay(_schedule.WaitBefore(attempts), time, cancellationToken);
        }
        catch (OperationCanceledException cancelled) when (failure is not null)
        {
            throw new OperationCanceledException(cancelled.Message, failure, cancellationToken);
        }
        return true;
    }
}
