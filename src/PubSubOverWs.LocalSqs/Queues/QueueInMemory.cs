namespace PubSubOverWs.LocalSqs;

/// <summary>
/// One queue, in memory. It keeps the promises of a standard queue, and is stricter in two points: it keeps order, too, unless messages
/// come back, and counts are exact. All queues of a <see cref="QueueStore"/> share one lock, so that a message moves to a dead-letter queue
/// in one step.
/// </summary>
public sealed class QueueInMemory : IDisposable
{
    private static readonly IReadOnlyList<Handout> Nothing = [];

    // Longer than setting a timer takes, unless the thread was stopped meanwhile, or the clock moved on.
    private static readonly TimeSpan LateTimer = TimeSpan.FromMilliseconds(1);

    private readonly QueueStore _store;
    private readonly TimeProvider _time;
    private readonly Lock _lock;
    private readonly ITimer _timer;
    private readonly QueueContents _contents;
    private readonly LinkedList<WaitingReceive> _waiting = new();
    private readonly DueHeap _waitingByEnd = new();
    private long _timerAt = long.MaxValue;
    private long? _purgedAt;
    private bool _deleted;

    internal QueueInMemory(QueueStore store, string name, uint id, QueueSettings settings)
    {
        _store = store;
        _time = store.Time;
        _lock = store.Lock;
        _timer = _time.CreateTimer(
            static queue => ((QueueInMemory)queue!).OnTimer(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _contents = new QueueContents(_time, store.Holdings, settings.MessageRetention);
        Name = name;
        Id = id;
        Settings = settings;
        CreatedAt = LastModifiedAt = _time.GetUtcNow();
    }

    public string Name { get; }

    /// <summary>Distinct among all queues of the process, deleted ones included, and drawn so that it is no other process's.</summary>
    public uint Id { get; }

    public DateTimeOffset CreatedAt { get; }

    public DateTimeOffset LastModifiedAt { get; private set; }

    public QueueSettings Settings { get; private set; }

    public QueueCounts Count()
    {
        lock (_lock)
        {
            CatchUp(_time.GetTimestamp());
            return _contents.Counts;
        }
    }

    /// <summary>A new retention applies to all messages, everything else to later ones and to later receives.</summary>
    public void Change(QueueSettings settings)
    {
        lock (_lock)
        {
            _contents.Retain(settings.MessageRetention);
            Settings = settings;
            LastModifiedAt = _time.GetUtcNow();
            CatchUp(_time.GetTimestamp());
        }
    }

    /// <summary>Takes messages that belong to one call.</summary>
    /// <returns>The number of the first; the others have those that follow.</returns>
    /// <exception cref="SqsErrorException">The queue is deleted, or there is no room for all of them: none is taken.</exception>
    public ulong Send(ReadOnlySpan<NewMessage> messages)
    {
        lock (_lock)
        {
            ThrowIfDeleted();
            _store.Holdings.Check(messages);
            var now = _time.GetTimestamp();
            var sentAt = _time.GetUtcNow().ToUnixTimeMilliseconds();
            var first = _store.TakeNumbers(messages.Length);
            var number = first;
            foreach (var (body, delay, extras) in messages)
                _contents.Add(new StoredMessage(number++, body, extras, sentAt, now), delay ?? Settings.Delay, now);
            CatchUp(now);
            return first;
        }
    }

    /// <summary>Up to <paramref name="max"/> messages, now or as soon as there are any within <paramref name="wait"/>; then none.</summary>
    /// <param name="max">1 to 10.</param>
    /// <param name="wait">0 s: answer at once.</param>
    /// <param name="visibility">How long they are hidden from others; null: the queue's setting.</param>
    /// <param name="isGone">Whether the caller is gone at this moment: then nothing is handed out to it. Asked within the lock.</param>
    /// <param name="aborted">Ends the wait when the caller is known to be gone. Never throws for it.</param>
    /// <exception cref="SqsErrorException">The queue is deleted, or a short poll came while too many are in flight.</exception>
    public async ValueTask<IReadOnlyList<Handout>> ReceiveAsync(
        int max, TimeSpan wait, TimeSpan? visibility, Func<bool> isGone, CancellationToken aborted)
    {
        WaitingReceive waiting;
        lock (_lock)
        {
            ThrowIfDeleted();
            var now = _time.GetTimestamp();
            CatchUp(now);
            if (_contents.IsAtLimit && wait <= TimeSpan.Zero)
                throw new SqsErrorException(SqsError.OverLimit, $"Too many messages in flight: {SqsLimit.InFlight} is the most.");
            if (aborted.IsCancellationRequested || isGone())
                return Nothing;
            var taken = Take(max, visibility, now);
            if (taken.Count > 0 || wait <= TimeSpan.Zero || _store.IsStopping)
                return taken;
            waiting = new WaitingReceive(max, visibility, isGone);
            waiting.Node = _waiting.AddLast(waiting);
            _waitingByEnd.Add(waiting, now + (long)(wait.TotalSeconds * _time.TimestampFrequency));
            CatchUp(now);
        }
        await using var registration = aborted.UnsafeRegister(_ => Abandon(waiting), null);
        return await waiting.Answer;
    }

    /// <summary>
    /// Gives back messages whose receiver was gone before it had them: they become visible again, and this receive does not count.
    /// </summary>
    public void GiveBack(IReadOnlyList<Handout> handouts)
    {
        ArgumentNullException.ThrowIfNull(handouts);
        lock (_lock)
        {
            foreach (var handout in handouts)
                _contents.GiveBack(handout);
            CatchUp(_time.GetTimestamp());
        }
    }

    /// <summary>
    /// Deletes the message if this is its latest receipt. A stale receipt, or that of a deleted message, changes nothing.
    /// </summary>
    /// <exception cref="SqsErrorException">The queue is deleted.</exception>
    public void Delete(ReceiptHandle handle)
    {
        lock (_lock)
        {
            ThrowIfDeleted();
            var wasAtLimit = _contents.IsAtLimit;
            _contents.Delete(handle);
            // Only then does a delete make other messages available, and need the time.
            if (wasAtLimit)
                CatchUp(_time.GetTimestamp());
        }
    }

    /// <summary>Hides a message for <paramref name="visibility"/> from now, or makes it visible again (zero). Null: done.</summary>
    /// <exception cref="SqsErrorException">The queue is deleted.</exception>
    public VisibilityRefusal? ChangeVisibility(ReceiptHandle handle, TimeSpan visibility)
    {
        lock (_lock)
        {
            ThrowIfDeleted();
            var now = _time.GetTimestamp();
            _contents.CatchUp(now);
            var error = _contents.ChangeVisibility(handle, visibility, now);
            CatchUp(now);
            return error;
        }
    }

    /// <summary>Deletes every message.</summary>
    /// <exception cref="SqsErrorException">The queue is deleted, or the last purge was less than 60 s ago.</exception>
    public void Purge()
    {
        lock (_lock)
        {
            ThrowIfDeleted();
            if (_purgedAt is { } purgedAt && _time.GetElapsedTime(purgedAt) < SqsLimit.Pause)
                throw new SqsErrorException(
                    SqsError.PurgeQueueInProgress, $"Only one PurgeQueue operation on {Name} is allowed every 60 seconds.");
            _purgedAt = _time.GetTimestamp();
            _contents.Clear();
        }
    }

    /// <summary>Ends the queue: waiting polls get nothing, later calls are refused.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            _deleted = true;
            _timer.Dispose();
            _contents.Clear();
            EndPolls();
        }
    }

    internal void EndPolls()
    {
        while (_waiting.First is { } first)
            Leave(first.Value, Nothing);
    }

    /// <summary>Takes over a message of another queue, whose call holds the lock.</summary>
    internal void Adopt(StoredMessage message)
    {
        _contents.Adopt(message);
        // Not served from here: two queues that are each other's dead-letter queue would call each other while they hand out.
        _timerAt = _time.GetTimestamp();
        _timer.Change(TimeSpan.Zero, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Processes what is due and serves the waiting polls: one message wakes one poll.</summary>
    private void CatchUp(long now)
    {
        while (true)
        {
            _contents.CatchUp(now);
            while (_contents.HasDeliverable && _waiting.First?.Value is { } next)
            {
                var isGone = next.IsGone();
                var taken = isGone ? Nothing : Take(next.Max, next.Visibility, now);
                if (taken.Count > 0 || isGone)
                    Leave(next, taken);
            }
            while (_waitingByEnd.First is WaitingReceive ended && ended.At <= now)
                Leave(ended, Nothing);
            if (!SetTimer(now) || _time.GetElapsedTime(now) < LateTimer)
                return;
            // The timer would fire late by that much.
            _timerAt = long.MaxValue;
            now = _time.GetTimestamp();
        }
    }

    private List<Handout> Take(int max, TimeSpan? visibility, long now)
    {
        var deadLetters = Settings.Redrive is { } redrive ? _store.FindByArn(redrive.TargetArn) : null;
        return _contents.Take(max, visibility ?? Settings.VisibilityTimeout, Settings, deadLetters, now);
    }

    private void Leave(WaitingReceive waiting, IReadOnlyList<Handout> handouts)
    {
        _waiting.Remove(waiting.Node!);
        waiting.Node = null;
        _waitingByEnd.Remove(waiting);
        waiting.End(handouts);
    }

    private void Abandon(WaitingReceive waiting)
    {
        lock (_lock)
        {
            if (waiting.Node is not null)
                Leave(waiting, Nothing);
        }
    }

    private void OnTimer()
    {
        lock (_lock)
        {
            _timerAt = long.MaxValue;
            if (!_deleted)
                CatchUp(_time.GetTimestamp());
        }
    }

    /// <summary>For polls that wait, and for messages that expire although nobody calls.</summary>
    private bool SetTimer(long now)
    {
        var next = Math.Min(_waitingByEnd.First?.At ?? long.MaxValue, _contents.NextDue);
        if (next >= _timerAt)
            return false;
        _timerAt = next;
        // Rounded up: a timer that fires early would find nothing due, and fire again.
        _timer.Change(TimeSpan.FromMilliseconds(Math.Ceiling((next - now) * 1000.0 / _time.TimestampFrequency)), Timeout.InfiniteTimeSpan);
        return true;
    }

    private void ThrowIfDeleted()
    {
        if (_deleted)
            throw QueueStore.NoSuchQueue(Name);
    }
}

/// <summary>The numbers of messages of a queue at one moment. Exact, unlike those of SQS itself.</summary>
public readonly record struct QueueCounts(int Visible, int InFlight, int Delayed);

/// <summary>A long poll that has found no message yet.</summary>
internal sealed class WaitingReceive(int max, TimeSpan? visibility, Func<bool> isGone) : Due
{
    // The sender that wakes it goes on at once; the poll's own continuation runs elsewhere, outside the lock.
    private readonly TaskCompletionSource<IReadOnlyList<Handout>> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public int Max { get; } = max;

    public TimeSpan? Visibility { get; } = visibility;

    public Func<bool> IsGone { get; } = isGone;

    public LinkedListNode<WaitingReceive>? Node { get; set; }

    public Task<IReadOnlyList<Handout>> Answer => _answer.Task;

    public void End(IReadOnlyList<Handout> handouts) => _answer.TrySetResult(handouts);
}
