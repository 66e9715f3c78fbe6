namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>Waits for what many subscribers receive.</summary>
internal static class Arrivals
{
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(20);

    /// <summary>Completes when it is so, or when nothing arrived for <paramref name="patience"/>.</summary>
    /// <returns>Whether it is so.</returns>
    public static async Task<bool> WaitAsync(
        Func<bool> isSo, Func<long> arrivals, TimeSpan patience, TimeProvider time, CancellationToken stopping)
    {
        var (last, since) = (-1L, time.GetTimestamp());
        while (!isSo())
        {
            if (arrivals() is var now && now != last)
                (last, since) = (now, time.GetTimestamp());
            else if (time.GetElapsedTime(since) > patience)
                return false;
            await Task.Delay(BetweenLooks, time, stopping);
        }
        return true;
    }
}
