using System.Diagnostics.CodeAnalysis;

namespace PubSubOverWs.LocalSqs;

/// <summary>
/// The messages of one queue and where each stands: visible ones in a line, first come, first served, with those that come back at its end,
/// and all of them in a heap by the time at which something happens to them: they become visible, or their retention is over. Without lock
/// and timer: <see cref="QueueInMemory"/> has them. Times are timestamps of the <see cref="TimeProvider"/>, which no step of the wall clock
/// moves.
/// </summary>
internal sealed class QueueContents(TimeProvider time, Holdings holdings, TimeSpan retention)
{
    // Messages that are deleted or expire in it stay, as Gone, until their turn.
    private readonly Queue<StoredMessage> _line = new();
    private readonly Dictionary<ulong, StoredMessage> _received = [];
    private readonly DueHeap _due = new();
    // Filled and emptied by each Take, so that none of them allocates it.
    private readonly List<StoredMessage> _taken = new(SqsLimit.BatchEntries);
    private long _retention = TicksIn(retention, time);
    private int _visibleCount;
    private int _inFlight;
    private long _bytes;

    public QueueCounts Counts => new(_visibleCount, _inFlight, _due.Count - _visibleCount - _inFlight);

    public bool HasDeliverable => _visibleCount > 0 && !IsAtLimit;

    public bool IsAtLimit => _inFlight >= SqsLimit.InFlight;

    /// <summary>When the next message becomes visible or expires; <see cref="long.MaxValue"/>: there is none.</summary>
    public long NextDue => _due.First?.At ?? long.MaxValue;

    public void Add(StoredMessage message, TimeSpan delay, long now)
    {
        Weigh(message.Bytes);
        if (delay > TimeSpan.Zero)
            Hide(message, MessageState.Delayed, delay, now);
        else
            Show(message);
    }

    /// <summary>Takes over a message that was received too often in another queue. It keeps its age.</summary>
    public void Adopt(StoredMessage message)
    {
        Weigh(message.Bytes);
        message.ReceivedHere = 0;
        _received.Add(message.Number, message);
        Show(message);
    }

    /// <summary>Drops messages whose retention is over, and makes those visible that were hidden for long enough.</summary>
    public void CatchUp(long now)
    {
        while (_due.First is StoredMessage first && first.At <= now)
        {
            if (first.SentTicks + _retention > now)
            {
                Leave(first);
                Show(first);
            }
            else
            {
                Leave(first);
                Forget(first);
                first.Drop();
            }
        }
        // Without this a queue that nobody reads would keep what is left of its expired messages.
        while (_line.TryPeek(out var next) && next.State == MessageState.Gone)
            _line.Dequeue();
    }

    /// <summary>Hands out up to <paramref name="max"/> visible messages, in the order of the line, and hides them.</summary>
    public List<Handout> Take(int max, TimeSpan visibility, QueueSettings settings, QueueInMemory? deadLetters, long now)
    {
        var handouts = new List<Handout>(Math.Min(max, _visibleCount));
        var utcNow = time.GetUtcNow().ToUnixTimeMilliseconds();
        while (_taken.Count < max && _inFlight + _taken.Count < SqsLimit.InFlight && TryTake(out var message))
        {
            if (deadLetters is not null && message.ReceivedHere >= settings.Redrive!.MaxReceiveCount)
            {
                Forget(message);
                deadLetters.Adopt(message);
            }
            else
            {
                handouts.Add(HandOut(message, utcNow));
                message.ReceivedTicks = now;
                _taken.Add(message);
            }
        }
        // Not earlier: with a visibility of zero a message would come twice in one receive.
        foreach (var message in _taken)
            Hide(message, MessageState.InFlight, visibility, now);
        _taken.Clear();
        return handouts;
    }

    /// <summary>Undoes the receive, unless something happened to the message since.</summary>
    public void GiveBack(Handout handout)
    {
        if (Find(handout.Number, handout.Receipt) is not { State: MessageState.InFlight } message)
            return;
        message.ReceiveCount--;
        message.ReceivedHere--;
        Leave(message);
        Show(message);
    }

    /// <summary>A stale receipt, or that of a deleted message, changes nothing.</summary>
    public void Delete(ReceiptHandle handle)
    {
        if (Find(handle.Number, handle.Receipt) is not { } message)
            return;
        Leave(message);
        Forget(message);
        message.Drop();
    }

    /// <summary>Null: done.</summary>
    public VisibilityRefusal? ChangeVisibility(ReceiptHandle handle, TimeSpan visibility, long now)
    {
        if (!_received.ContainsKey(handle.Number))
            return VisibilityRefusal.NoMessage;
        if (Find(handle.Number, handle.Receipt) is not { State: MessageState.InFlight } message)
            return VisibilityRefusal.NotInFlight;
        if (now + Ticks(visibility) > message.ReceivedTicks + Ticks(SqsLimit.Visibility))
            return VisibilityRefusal.BeyondLimit;
        Leave(message);
        Hide(message, MessageState.InFlight, visibility, now);
        return null;
    }

    /// <summary>Applies to the messages that are there, too.</summary>
    public void Retain(TimeSpan howLong)
    {
        if (Ticks(howLong) == _retention)
            return;
        _retention = Ticks(howLong);
        StoredMessage[] all = [.. _due.Items.Cast<StoredMessage>()];
        _due.Clear();
        foreach (var message in all)
            AddDue(message);
    }

    public void Clear()
    {
        _line.Clear();
        _received.Clear();
        _due.Clear();
        _visibleCount = _inFlight = 0;
        Weigh(-_bytes);
    }

    private static long TicksIn(TimeSpan duration, TimeProvider time) => (long)(duration.TotalSeconds * time.TimestampFrequency);

    private bool TryTake([NotNullWhen(true)] out StoredMessage? message)
    {
        while (_line.TryDequeue(out message))
        {
            if (message.State == MessageState.Gone)
                continue;
            Leave(message);
            return true;
        }
        return false;
    }

    private Handout HandOut(StoredMessage message, long utcNow)
    {
        if (message.FirstReceivedAt == 0)
            message.FirstReceivedAt = utcNow;
        _received.TryAdd(message.Number, message);
        message.ReceiveCount++;
        message.ReceivedHere++;
        message.Receipt++;
        return new Handout(
            message.Number, message.Receipt, message.Body, message.SentAt, message.FirstReceivedAt, message.ReceiveCount, message.Extras);
    }

    private StoredMessage? Find(ulong number, uint receipt) =>
        _received.TryGetValue(number, out var message) && message.Receipt == receipt ? message : null;

    private void Show(StoredMessage message)
    {
        message.State = MessageState.Visible;
        message.HiddenUntil = long.MaxValue;
        _line.Enqueue(message);
        _visibleCount++;
        AddDue(message);
    }

    private void Hide(StoredMessage message, MessageState state, TimeSpan howLong, long now)
    {
        // With a visibility of zero it is received and visible at once.
        if (howLong <= TimeSpan.Zero)
        {
            Show(message);
            return;
        }
        message.State = state;
        message.HiddenUntil = now + Ticks(howLong);
        if (state == MessageState.InFlight)
            _inFlight++;
        AddDue(message);
    }

    private void AddDue(StoredMessage message) => _due.Add(message, Math.Min(message.HiddenUntil, message.SentTicks + _retention));

    /// <summary>It is no longer in its state, and goes on to another, or leaves the queue.</summary>
    private void Leave(StoredMessage message)
    {
        if (message.State == MessageState.InFlight)
            _inFlight--;
        else if (message.State == MessageState.Visible)
            _visibleCount--;
        _due.Remove(message);
    }

    private void Forget(StoredMessage message)
    {
        Weigh(-message.Bytes);
        _received.Remove(message.Number);
    }

    private void Weigh(long bytes)
    {
        _bytes += bytes;
        holdings.Add(bytes);
    }

    private long Ticks(TimeSpan duration) => TicksIn(duration, time);
}

/// <summary>Why the visibility of a message was not changed.</summary>
public enum VisibilityRefusal
{
    /// <summary>It was deleted, has expired, or was never received.</summary>
    NoMessage,

    /// <summary>It is visible, or another has received it since.</summary>
    NotInFlight,

    /// <summary>It would be hidden for more than 12 h from its receive (<see cref="SqsLimit.Visibility"/>).</summary>
    BeyondLimit,
}
