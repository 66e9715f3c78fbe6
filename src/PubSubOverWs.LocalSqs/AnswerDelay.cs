namespace PubSubOverWs.LocalSqs;

/// <summary>
/// Holds every answer back for a time drawn from a lognormal distribution, as if the queue were far away. A message that a long poll waits
/// for reaches its consumer after one such time. Safe from any thread.
/// </summary>
internal sealed class AnswerDelay
{
    /// <summary>The 99th percentile of the standard normal distribution.</summary>
    private const double Normal99 = 2.3263478740408408;

    private readonly Lock _lock = new();
    private readonly Random _random;
    private readonly TimeProvider _time;
    private readonly double _logMedian;
    private readonly double _sigma;

    public AnswerDelay(LocalSqsOptions options, TimeProvider time)
    {
        _time = time;
        _random = new Random(options.Seed);
        IsOn = options.DelayP50 > TimeSpan.Zero;
        if (!IsOn)
            return;
        _logMedian = Math.Log(options.DelayP50.TotalMilliseconds);
        _sigma = Math.Log(Math.Max(options.DelayP99 / options.DelayP50, 1)) / Normal99;
    }

    public bool IsOn { get; }

    public Task WaitAsync(CancellationToken cancellationToken) => Task.Delay(Draw(), _time, cancellationToken);

    /// <summary>exp(ln p50 + sigma z), where z is standard normal by Box and Muller, and sigma = ln(p99/p50) / 2.326.</summary>
    public TimeSpan Draw()
    {
        double radius, angle;
        lock (_lock)
            (radius, angle) = (Math.Sqrt(-2 * Math.Log(1 - _random.NextDouble())), 2 * Math.PI * _random.NextDouble());
        return TimeSpan.FromMilliseconds(Math.Exp(_logMedian + (_sigma * radius * Math.Cos(angle))));
    }
}
