namespace PubSubOverWs.Sqs;

/// <summary>
/// Gathers single sends, deletes and visibility changes for one queue into batch calls, without a timer: while a call is under way the
/// next batch fills (10 entries, 1 MiB); when none is, an entry leaves at once. Safe from any thread.
/// </summary>
public sealed class SqsBatcher : IAsyncDisposable
{
    private readonly BatchLane<SendEntry> _sends;
    private readonly BatchLane<string> _deletes;
    private readonly BatchLane<VisibilityEntry> _changes;

    public SqsBatcher(ISqs sqs, string queueUrl, SqsBatcherOptions options)
    {
        ArgumentNullException.ThrowIfNull(sqs);
        ArgumentNullException.ThrowIfNull(options);
        // Entries that are under way end by themselves: cut off, nobody would know what became of them.
        _sends = new(options, entry => entry.Body.Length, batch => sqs.SendMessageBatchAsync(queueUrl, batch, CancellationToken.None));
        _deletes = new(options, _ => 0, batch => sqs.DeleteMessageBatchAsync(queueUrl, batch, CancellationToken.None));
        _changes = new(options, _ => 0, batch => sqs.ChangeMessageVisibilityBatchAsync(queueUrl, batch, CancellationToken.None));
    }

    /// <summary>Completes when the queue has the message, or refused it.</summary>
    /// <param name="entry">At most 1 MiB; its body must not change until the call has ended.</param>
    /// <param name="cancellationToken">Ends the wait for room (<see cref="SqsBatcherOptions.MaxWaiting"/>), and nothing after that.</param>
    /// <exception cref="SqsException">The call that carried it failed as a whole; when it is retryable the queue may have the message.</exception>
    /// <exception cref="ObjectDisposedException">It was stopped: the entry was not sent.</exception>
    public Task<EntryResult> SendAsync(SendEntry entry, CancellationToken cancellationToken) =>
        _sends.AddAsync(entry, cancellationToken);

    /// <summary>Completes when the message is deleted, or the queue refused (such as a stale handle).</summary>
    /// <inheritdoc cref="SendAsync" path="/param[@name='cancellationToken']"/>
    /// <exception cref="SqsException">The call that carried it failed as a whole.</exception>
    /// <exception cref="ObjectDisposedException">It was stopped: nothing was deleted.</exception>
    public Task<EntryResult> DeleteAsync(string receiptHandle, CancellationToken cancellationToken) =>
        _deletes.AddAsync(receiptHandle, cancellationToken);

    /// <summary>Completes when the message is hidden for the new time, or the queue refused.</summary>
    /// <inheritdoc cref="SendAsync" path="/param[@name='cancellationToken']"/>
    /// <exception cref="SqsException">The call that carried it failed as a whole.</exception>
    /// <exception cref="ObjectDisposedException">It was stopped: nothing was changed.</exception>
    public Task<EntryResult> ChangeVisibilityAsync(VisibilityEntry entry, CancellationToken cancellationToken) =>
        _changes.AddAsync(entry, cancellationToken);

    /// <summary>Takes no more, and completes when everything that it had taken has its outcome.</summary>
    public async ValueTask DisposeAsync()
    {
        await _sends.DisposeAsync();
        await _deletes.DisposeAsync();
        await _changes.DisposeAsync();
    }
}
