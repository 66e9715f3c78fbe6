namespace PubSubOverWs.Sqs;

/// <summary>
/// Gathers single sends to one queue into batch calls, without a timer: while a call is under way the next batch fills (10 entries, 1 MiB); when
/// none is, an entry leaves at once. Safe from any thread.
/// </summary>
public sealed class SqsSender : IAsyncDisposable
{
    private readonly Func<IReadOnlyList<SendEntry>, ValueTask<IReadOnlyList<EntryResult>>> _send;
    private readonly SemaphoreSlim _room;
    private readonly BatchLoop<Waiting> _loop;

    public SqsSender(ISqs sqs, string queueUrl, SqsSenderOptions options)
    {
        ArgumentNullException.ThrowIfNull(sqs);
        ArgumentNullException.ThrowIfNull(options);
        // Entries that are under way end by themselves: cut off, nobody would know what became of them.
        _send = batch => sqs.SendMessageBatchAsync(queueUrl, batch, CancellationToken.None);
        _room = new SemaphoreSlim(options.MaxWaiting);
        _loop = new(options.MaxCalls, CallAsync) { PartialCalls = options.PartialCalls, SizeOf = waiting => waiting.Entry.Body.Length };
    }

    /// <summary>Completes when the queue has the message, or refused it.</summary>
    /// <param name="entry">At most 1 MiB; its body must not change until the call has ended.</param>
    /// <param name="cancellationToken">Ends the wait for room (<see cref="SqsSenderOptions.MaxWaiting"/>), and nothing after that.</param>
    /// <exception cref="SqsException">The call that carried it failed as a whole; when it is retryable the queue may have the message.</exception>
    /// <exception cref="ObjectDisposedException">It was stopped: the entry was not sent.</exception>
    public async Task<EntryResult> SendAsync(SendEntry entry, CancellationToken cancellationToken)
    {
        await _room.WaitAsync(cancellationToken);
        var waiting = new Waiting(entry);
        try
        {
            _loop.Add(waiting);
        }
        catch (ObjectDisposedException)
        {
            _room.Release();
            throw;
        }
        return await waiting.Outcome.Task;
    }

    /// <summary>Takes no more, and completes when everything that it had taken has its outcome.</summary>
    /// <remarks>The semaphore stays: callers that still wait for room get it, one after the other, and see that it is too late.</remarks>
    public async ValueTask DisposeAsync() => await _loop.CompleteAsync();

    private async Task CallAsync(IReadOnlyList<Waiting> batch)
    {
        _room.Release(batch.Count);
        try
        {
            var results = await _send([.. batch.Select(waiting => waiting.Entry)]);
            for (var i = 0; i < batch.Count; i++)
                batch[i].Outcome.TrySetResult(results[i]);
        }
        catch (Exception failure)
        {
            // Whatever it was, it belongs to the callers that wait for these entries.
            foreach (var waiting in batch)
                waiting.Outcome.TrySetException(failure);
        }
    }

    private sealed class Waiting(SendEntry entry)
    {
        public SendEntry Entry { get; } = entry;

        public TaskCompletionSource<EntryResult> Outcome { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
