using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.LoadTest.Load.Pairs;

namespace PubSubOverWs.LoadTest.Kills;

/// <summary>How a client connects, and comes back to a server that was away: it tries until it is let in, with a backoff of its own.</summary>
internal sealed class Comeback(Backoff backoff, TimeProvider time)
{
    private bool _wasConnected;

    /// <summary>Completes when the server has let the client in.</summary>
    /// <param name="connect">One attempt.</param>
    /// <param name="stopping">Ends the waiting.</param>
    public async Task<T> ConnectAsync<T>(Func<Task<T>> connect, CancellationToken stopping)
    {
        if (_wasConnected)
            await Task.Delay(backoff.AfterLoss(), time, stopping);
        while (true)
        {
            stopping.ThrowIfCancellationRequested();
            try
            {
                var connected = await connect();
                _wasConnected = true;
                return connected;
            }
            catch (ChildException)
            {
                // It is away, which is what this waits out.
            }
            await Task.Delay(backoff.AfterFailure(), time, stopping);
        }
    }
}
