using PubSubOverWs.Queues;

namespace PubSubOverWs.PubSubServer;

/// <summary>Repeats calls while the queue is away, beyond the few retries that the client itself makes, until the server stops.</summary>
internal sealed class PatientCalls(TimeProvider time, CancellationToken stopping)
{
    private static readonly TimeSpan BetweenCalls = TimeSpan.FromSeconds(1);

    public bool IsStopping => stopping.IsCancellationRequested;

    /// <returns>Null: the queue refused the call, or the server stops and the call failed.</returns>
    public async Task<IReadOnlyList<EntryResult>?> CallAsync(Func<ValueTask<IReadOnlyList<EntryResult>>> call)
    {
        while (true)
        {
            try
            {
                return await call();
            }
            catch (QueueException failure)
            {
                if (!failure.IsRetryable)
                    return null;
            }
            if (!await PauseAsync())
                return null;
        }
    }

    /// <summary>The time between a call that failed and the next.</summary>
    /// <returns>False: the server stops.</returns>
    public Task<bool> PauseAsync() => PauseAsync(BetweenCalls);

    /// <returns>False, and earlier: the server stops.</returns>
    public async Task<bool> PauseAsync(TimeSpan pause)
    {
        try
        {
            await Task.Delay(pause, time, stopping);
            return true;
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
            return false;
        }
    }
}
