namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>
/// How long a client waits before it tries to connect again: 50 to 100 ms after it lost its connection, then about twice as long after
/// every try that failed, up to 0.5 to 1 s. Not for several threads.
/// </summary>
/// <param name="random">Of this client alone, so that it waits as long in both arms.</param>
/// <param name="away">How long it stays away after each loss, exactly; zero: as long as the first step.</param>
public sealed class Backoff(Random random, TimeSpan away)
{
    private static readonly TimeSpan First = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(1);

    private TimeSpan _step = First;

    /// <summary>The connection was lost.</summary>
    public TimeSpan AfterLoss()
    {
        _step = First;
        return away > TimeSpan.Zero ? away : AfterFailure();
    }

    /// <summary>A try failed.</summary>
    public TimeSpan AfterFailure()
    {
        var wait = _step * ((1 + random.NextDouble()) / 2);
        _step = _step * 2 < Longest ? _step * 2 : Longest;
        return wait;
    }
}
