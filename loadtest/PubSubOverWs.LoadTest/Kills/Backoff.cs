using PubSubOverWs.LoadTest.Load.Children;

namespace PubSubOverWs.LoadTest.Kills;

/// <summary>How a client comes back to a server that is away: it tries again after a wait that is drawn between nothing and a bound that doubles.</summary>
internal sealed class Backoff(Random random, TimeProvider time)
{
    private static readonly TimeSpan First = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(500);

    /// <summary>Completes when the server has let the client in.</summary>
    /// <param name="connect">One attempt.</param>
    /// <param name="stopping">Ends the waiting.</param>
    public async Task<T> ConnectAsync<T>(Func<Task<T>> connect, CancellationToken stopping)
    {
        for (var attempt = 1; ; attempt++)
        {
            stopping.ThrowIfCancellationRequested();
            try
            {
                return await connect();
            }
            catch (ChildException)
            {
                // It is away, which is what this waits out.
            }
            await Task.Delay(WaitAfter(attempt), time, stopping);
        }
    }

    /// <param name="attempt">That failed; the first is 1.</param>
    public TimeSpan WaitAfter(int attempt)
    {
        var bound = First * Math.Pow(2, Math.Min(attempt, 16) - 1);
        return (bound < Longest ? bound : Longest) * random.NextDouble();
    }
}
