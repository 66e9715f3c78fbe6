namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>Work that is cancelled when something else happens first.</summary>
public static class Race
{
    /// <summary>
    /// True: <paramref name="work"/> completed first. False: <paramref name="end"/> did, and the work was cancelled and has ended.
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
        await working.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // Its result no longer matters.
        return false;
    }
}
