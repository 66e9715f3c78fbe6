namespace PubSubOverWs.LocalSqs;

/// <summary>
/// The messages of one queue and where each stands: visible ones in a line, delayed and in-flight ones in a heap by due time. The line
/// decides the order. Without lock and timer: <see cref="QueueInMemory"/> has them. Times are timestamps of the
/// <see cref="TimeProvider"/>.
/// </summary>
internal sealed class QueueContents(TimeProvider time, Holdings holdings, bool isFifo)
{
    private readonly bool _isFifo = isFifo;
    private readonly IMessageLine _line = isFifo ? new FifoLine() : new StandardLine();
    private readonly Dictionary<ulong, StoredMessage> _received = [];
    private readonly DueHeap _hidden = new();
    // Filled and emptied by each Take, so that none of them allocates it.
    private readonly List<StoredMessage> _taken = new(SqsLimit.BatchEntries);
    private int _visibleCount;
    private int _inFlight;
    private long _bytes;

    public QueueCounts Counts => new(_visibleCount, _inFlight, _hidden.Count - _inFlight);

    public bool HasDeliverable => _visibleCount > 0 && _line.HasNext && !IsAtLimit;

    public bool IsAtLimit => _inFlight >= SqsLimit.InFlight;

    /// <summary>When the next hidden message becomes visible; <see cref="long.MaxValue"/>: none is hidden.</summary>
    public long NextDue => _hidden.First?.At ?? long.MaxValue;

    public void Add(StoredMessage message, TimeSpan delay, long now)
    {
        Weigh(message.Bytes);
        if (delay > TimeSpan.Zero)
            Hide(message, MessageState.Delayed, delay, now);
        else
            Show(message);
    }

    /// <summary>Takes over a message that was received too often in another queue.</summary>
    public void Adopt(StoredMessage message)
    {
        Weigh(message.Bytes);
        message.ReceivedHere = 0;
        _received.Add(message.Number, message);
        Show(message);
    }

    /// <summary>Makes messages visible whose time is over.</summary>
    public void ShowDue(long now)
    {
        while (_hidden.First is StoredMessage first && first.At <= now)
        {
            Unhide(first);
            Show(first);
        }
    }

    /// <summary>Hands out up to <paramref name="max"/> visible messages, in the order of the line, and hides them.</summary>
    public List<Handout> Take(int max, TimeSpan visibility, QueueSettings settings, QueueInMemory? deadLetters, long now)
    {
        var handouts = new List<Handout>(Math.Min(max, _visibleCount));
        var utcNow = time.GetUtcNow().ToUnixTimeMilliseconds();
        while (_taken.Count < max && _inFlight + _taken.Count < SqsLimit.InFlight && _line.TryTake(out var message))
        {
            _visibleCount--;
            if (utcNow - message.SentAt >= settings.MessageRetention.TotalMilliseconds)
            {
                Forget(message);
            }
            else if (deadLetters is not null && message.ReceivedHere >= settings.Redrive!.MaxReceiveCount)
            {
                Forget(message);
                deadLetters.Adopt(message);
            }
            else
            {
                handouts.Add(HandOut(message, utcNow));
                _taken.Add(message);
            }
        }
        // Not earlier: with a visibility of zero a message would come twice in one receive, and in flight it would hold up its own group.
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
        Unhide(message);
        Show(message);
    }

    /// <summary>Null: done, or nothing to do.</summary>
    public SqsError? Delete(ReceiptHandle handle)
    {
        if (Find(handle.Number, handle.Receipt) is not { } message || (_isFifo && message.State != MessageState.InFlight))
            return _isFifo && _received.ContainsKey(handle.Number) ? SqsError.InvalidParameterValue : null;
        if (message.State == MessageState.InFlight)
            Unhide(message);
        else
            _visibleCount--;
        Forget(message);
        message.Drop();
        return null;
    }

    /// <summary>Null: done.</summary>
    public SqsError? ChangeVisibility(ReceiptHandle handle, TimeSpan visibility, long now)
    {
        if (!_received.ContainsKey(handle.Number))
            return SqsError.InvalidParameterValue;
        if (Find(handle.Number, handle.Receipt) is not { State: MessageState.InFlight } message)
            return SqsError.MessageNotInflight;
        if (visibility > TimeSpan.Zero)
        {
            HideUntil(message, now + Ticks(visibility));
            return null;
        }
        Unhide(message);
        Show(message);
        return null;
    }

    /// <summary>Delayed messages become visible later by this time, or earlier when <paramref name="by"/> is negative.</summary>
    public void Postpone(TimeSpan by)
    {
        foreach (var message in _hidden.Items.OfType<StoredMessage>().Where(message => message.State == MessageState.Delayed).ToArray())
            HideUntil(message, message.At + Ticks(by));
    }

    public void Clear()
    {
        _line.Clear();
        _received.Clear();
        _hidden.Clear();
        _visibleCount = _inFlight = 0;
        Weigh(-_bytes);
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
        _line.Add(message);
        _visibleCount++;
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
        if (state == MessageState.InFlight)
        {
            _inFlight++;
            _line.Hold(message);
        }
        _hidden.Add(message, now + Ticks(howLong));
    }

    private void HideUntil(StoredMessage message, long due)
    {
        _hidden.Remove(message);
        _hidden.Add(message, due);
    }

    private void Unhide(StoredMessage message)
    {
        if (message.State == MessageState.InFlight)
            _inFlight--;
        _hidden.Remove(message);
    }

    private void Forget(StoredMessage message)
    {
        Weigh(-message.Bytes);
        _received.Remove(message.Number);
        _line.Forget(message);
    }

    private void Weigh(long bytes)
    {
        _bytes += bytes;
        holdings.Add(bytes);
    }

    private long Ticks(TimeSpan duration) => (long)(duration.TotalSeconds * time.TimestampFrequency);
}
