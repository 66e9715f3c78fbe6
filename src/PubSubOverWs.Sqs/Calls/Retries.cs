namespace PubSubOverWs.Sqs;

/// <summary>Whether a call that failed may be made again, and the wait before it.</summary>
internal sealed class Retries(SqsOptions options, TimeProvider time, SqsTraffic traffic)
{
    private readonly RetrySchedule _schedule = new(options);

    /// <summary>Waits before a retry of what failed <paramref name="attempts"/> times. False: that was the last attempt.</summary>
    public async ValueTask<bool> MayRetryAsync(int attempts, CancellationToken cancellationToken)
    {
        if (attempts >= options.MaxAttempts)
            return false;
        traffic.CountRetry();
        await Task.Delay(_schedule.WaitBefore(attempts), time, cancellationToken);
        return true;
    }
}
