namespace PubSubOverWs.PubSubServer;

/// <summary>The moment of a server's shutdown after which nothing is published: every publish is in the queue, or has failed.</summary>
/// <param name="publishing">Completes its disposal when everything that it had taken has its outcome.</param>
internal sealed class Quiet(IAsyncDisposable publishing) : IDisposable
{
    private readonly CancellationTokenSource _reached = new();

    /// <summary>Fires at that moment.</summary>
    public CancellationToken Token => _reached.Token;

    /// <param name="connectionsClosed">No client can publish.</param>
    public async Task AfterAsync(CancellationToken connectionsClosed)
    {
        var closed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using (connectionsClosed.Register(closed.SetResult))
            await closed.Task;
        await publishing.DisposeAsync();
        await _reached.CancelAsync();
    }

    /// <summary>Runs the parts of a server until it stops. When one fails, the others end too, and its exception is thrown.</summary>
    /// <param name="parts">Each is told when nothing more is published, and when to stop.</param>
    /// <param name="stopping">The server stops.</param>
    /// <param name="connectionsClosed">No client can publish.</param>
    public async Task RunAsync(
        IReadOnlyList<Func<Task, CancellationToken, Task>> parts, CancellationToken stopping, CancellationToken connectionsClosed)
    {
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        using var closed = CancellationTokenSource.CreateLinkedTokenSource(connectionsClosed);
        var quiet = AfterAsync(closed.Token);
        Task[] running = [.. parts.Select(part => part(quiet, ending.Token))];
        // The first to end has failed, or all end.
        var first = await Task.WhenAny(running);
        await ending.CancelAsync();
        // After a failure the clients are not waited for: the host stops when this ends.
        if (!first.IsCompletedSuccessfully)
            await closed.CancelAsync();
        await Task.WhenAll([.. running, quiet]);
    }

    public void Dispose() => _reached.Dispose();
}
