namespace PubSubOverWs.Relay;

/// <summary>
/// The outboxes that one step of a session filled. The same thread drains them when the step ends, so that a relayed message needs no
/// thread hop, and messages that came in together leave together; it also drains them within a step that fills so much that outboxes could
/// become full, because input may never pause. Outside a step an outbox is drained on the thread pool.
/// </summary>
internal sealed class OutboxBatch(RelayOptions options)
{
    private const int MaxSteps = 64;
    private const int MaxBytes = 64 * 1024;

    // A quarter of an outbox: several senders may fill the same one before it is drained.
    private const int Quarter = 4;

    // A broadcast to many is shared among threads; a few outboxes are drained faster here.
    private const int DrainedHere = 32;

    private List<Outbox>? _outboxes;
    private readonly int _maxSteps = Math.Clamp(options.OutboxFrames / Quarter, 1, MaxSteps);
    private readonly int _maxBytes = Math.Min(options.OutboxBytes / Quarter, MaxBytes);
    private int _steps;
    private int _bytes;

    /// <summary>
    /// So much was acted on since the last <see cref="Flush"/> that it is time for another, and for other sessions to run.
    /// </summary>
    public bool IsFull => _steps >= _maxSteps || _bytes > _maxBytes;

    /// <summary>Bytes came in that the next steps act on.</summary>
    public void OnReceived(int bytes) => _bytes += bytes;

    /// <summary>
    /// Has this batch collect the outboxes that the current thread fills, until <see cref="Leave"/>. The step between must not await.
    /// </summary>
    public void Enter()
    {
        _steps++;
        Outbox.Collect(_outboxes ??= SpareList<Outbox>.Take());
    }

    public static void Leave() => Outbox.Collect(null);

    /// <summary>Drains the collected outboxes.</summary>
    public void Flush()
    {
        _steps = _bytes = 0;
        if (_outboxes is not { } outboxes)
            return;
        _outboxes = null;
        // First, so that other threads begin while this one drains its part.
        for (var i = DrainedHere; i < outboxes.Count; i += DrainedHere)
        {
            var part = new Part(outboxes.GetRange(i, Math.Min(DrainedHere, outboxes.Count - i)));
            ThreadPool.UnsafeQueueUserWorkItem(part, preferLocal: false);
        }
        for (var i = 0; i < Math.Min(outboxes.Count, DrainedHere); i++)
            outboxes[i].Execute();
        SpareList<Outbox>.Give(outboxes, DrainedHere);
    }

    /// <summary>Outboxes that one thread drains, one after the other.</summary>
    private sealed class Part(List<Outbox> outboxes) : IThreadPoolWorkItem
    {
        public void Execute()
        {
            foreach (var outbox in outboxes)
                outbox.Execute();
        }
    }
}

/// <summary>
/// A list that nobody on this thread needs now. Connections have lists only while there is something in them, and take the same one again
/// for each message.
/// </summary>
internal static class SpareList<T>
{
    [ThreadStatic]
    private static List<T>? t_spare;

    /// <summary>An empty list.</summary>
    public static List<T> Take()
    {
        var spare = t_spare ?? [];
        t_spare = null;
        return spare;
    }

    /// <summary>Empties a list that nobody uses any more. One with more room than <paramref name="maxKept"/> is not kept.</summary>
    /// <param name="list">Null: nothing happens.</param>
    /// <param name="maxKept">Items.</param>
    public static void Give(List<T>? list, int maxKept)
    {
        if (list is null || list.Capacity > maxKept)
            return;
        list.Clear();
        t_spare = list;
    }
}
