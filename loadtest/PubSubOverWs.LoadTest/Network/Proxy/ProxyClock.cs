namespace PubSubOverWs.LoadTest.Network.Proxy;

/// <summary>The time since the proxy began.</summary>
public sealed class ProxyClock(TimeProvider time)
{
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(1);

    private readonly long _began = time.GetTimestamp();

    public TimeProvider Time => time;

    public TimeSpan Now => time.GetElapsedTime(_began);

    /// <summary>
    /// How long a timer must run that shall not fire before <paramref name="at"/>: timers count whole milliseconds and drop the rest.
    /// </summary>
    public TimeSpan Until(TimeSpan at)
    {
        var left = at - Now;
        return left <= TimeSpan.Zero ? TimeSpan.Zero : Tick * Math.Ceiling(left / Tick);
    }
}
