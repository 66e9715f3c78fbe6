namespace PubSubOverWs.Sqs;

/// <summary>How long to wait before each retry: "full jitter", between zero and a bound that doubles.</summary>
internal sealed class RetrySchedule(SqsOptions options)
{
    private readonly Lock _lock = new();
    private readonly Random _random = new(options.Seed);

    /// <param name="retry">1 for the first.</param>
    public TimeSpan WaitBefore(int retry)
    {
        var bound = Math.Min(options.MaxRetryDelay.TotalMilliseconds, options.RetryDelay.TotalMilliseconds * Math.Pow(2, retry - 1));
        lock (_lock)
            return TimeSpan.FromMilliseconds(bound * _random.NextDouble());
    }
}
