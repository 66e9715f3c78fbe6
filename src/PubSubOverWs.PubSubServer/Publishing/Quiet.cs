namespace PubSubOverWs.PubSubServer;

/// <summary>The moment in a server's end from which on nothing more is published: what was taken is in the queue, or failed.</summary>
internal sealed class Quiet(IPeers peers) : IDisposable
{
    private readonly CancellationTokenSource _reached = new();

    /// <summary>Fires at that moment.</summary>
    public CancellationToken Token => _reached.Token;

    /// <param name="connectionsClosed">Nobody publishes any more.</param>
    public async Task AfterAsync(CancellationToken connectionsClosed)
    {
        var closed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using (connectionsClosed.Register(closed.SetResult))
            await closed.Task;
        await peers.DisposeAsync();
        await _reached.CancelAsync();
    }

    public void Dispose() => _reached.Dispose();
}
