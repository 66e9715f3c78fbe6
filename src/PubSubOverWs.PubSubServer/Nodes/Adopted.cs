namespace PubSubOverWs.PubSubServer;

/// <summary>The queue of a node that is gone, while this node reads it.</summary>
internal sealed class Adopted : IAsyncDisposable
{
    private readonly CancellationTokenSource _stopped;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Task _running;
    private volatile bool _isSurelyDead;

    /// <param name="read">Makes the flow out of it, which can ask whether the node is certainly dead.</param>
    /// <param name="publishingEnded">Completes when no client can publish or acknowledge, because this server stops.</param>
    public Adopted(string node, string queueUrl, Func<Func<bool>, QueueFlow> read, Task publishingEnded, CancellationToken stopping)
    {
        Node = node;
        QueueUrl = queueUrl;
        Flow = read(() => _isSurelyDead);
        _stopped = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        _running = Flow.RunAsync(Task.WhenAny(publishingEnded, _ended.Task), _stopped.Token);
    }

    public string Node { get; }
    public string QueueUrl { get; }
    public QueueFlow Flow { get; }

    /// <summary>When there was last something in it, as far as is known: a timestamp.</summary>
    public long UsedAt { get; set; }

    /// <summary>The reading failed; <see cref="DisposeAsync"/> throws why.</summary>
    public bool HasFailed => _running.IsFaulted;

    /// <summary>The node is certainly dead: messages for its own subscribers have no subscriber.</summary>
    public bool IsSurelyDead => _isSurelyDead;

    /// <summary>Its control queue is deleted: if it lives after all, it does not hear itself, and sends nothing to its own queue.</summary>
    public bool IsDeaf { get; set; }

    /// <summary>From now on the node counts as certainly dead.</summary>
    public void MarkDead()
    {
        _isSurelyDead = true;
        Flow.RoomEverywhere();
    }

    /// <summary>Completes when the reading has ended, because this server stops.</summary>
    public Task EndedAsync() => _running;

    /// <summary>Ends the reading now: unsettled messages go back to the queue.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stopped.CancelAsync();
        _ended.TrySetResult();
        using (_stopped)
        using (Flow)
            await _running;
    }
}
