namespace PubSubOverWs.Relay;

/// <summary>
/// The outboxes that one step of a session filled. They are drained by the same thread when the step ends, so that a relayed message
/// needs no thread hop and what came in together leaves together. Outside a step an outbox goes to the thread pool.
/// </summary>
internal sealed class OutboxBatch
{
    // A broadcast to many is shared among threads; a few are quicker by hand.
    private const int DrainedHere = 32;

    [ThreadStatic]
    private static OutboxBatch? t_current;

    private readonly List<Outbox> _outboxes = [];

    /// <summary>Has this batch collect what the current thread enqueues, until <see cref="Leave"/>. The step between must not await.</summary>
    public void Enter() => t_current = this;

    public static void Leave() => t_current = null;

    /// <summary>Drains what was collected.</summary>
    public void Flush()
    {
        for (var i = 0; i < _outboxes.Count; i++)
        {
            if (i < DrainedHere)
                _outboxes[i].Execute();
            else
                ThreadPool.UnsafeQueueUserWorkItem(_outboxes[i], preferLocal: false);
        }
        _outboxes.Clear();
        if (_outboxes.Capacity > DrainedHere)
            _outboxes.Capacity = 0;
    }

    /// <summary>Sees that the outbox is drained: by the current step, or by the thread pool.</summary>
    public static void Schedule(Outbox outbox)
    {
        if (t_current is { } batch)
            batch._outboxes.Add(outbox);
        else
            ThreadPool.UnsafeQueueUserWorkItem(outbox, preferLocal: true);
    }
}
