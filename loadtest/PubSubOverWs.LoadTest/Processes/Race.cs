namespace PubSubOverWs.LoadTest.Processes;

/// <summary>Work that is of no use any more once something else has happened.</summary>
public static class Race
{
    /// <summary>
    /// True: <paramref name="work"/> was done first. False: <paramref name="end"/> came first, and the work was cancelled and has ended:
    /// nothing of it goes on behind the caller's back.
    /// </summary>
    /// <exception cref="OperationCanceledException">The caller cancelled.</exception>
    public static async Task<bool> WonAsync(Func<CancellationToken, Task> work, Task end, CancellationToken cancellationToken)
    {
        using var cancellation = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var working = work(cancellation.Token);
        if (await Task.WhenAny(working, end) == working)
        {
            await working;
            return true;
        }

        await cancellation.CancelAsync();
        await working.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // Whatever it found is of no use.
        return false;
    }
}
