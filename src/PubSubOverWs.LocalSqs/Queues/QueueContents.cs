namespace PubSubOverWs.LocalSqs;

/// <summary>
/// The messages of one queue and where each stands: visible ones in a line, delayed and in-flight ones in a heap by due time. No lock, no
/// timer: that is <see cref="QueueInMemory"/>'s part. Times are timestamps of the <see cref="TimeProvider"/>.
/// </summary>
internal sealed class QueueContents(TimeProvider time)
{
    // Deleted messages stay in the line until they come up, as Gone.
    private readonly Queue<StoredMessage> _visible = new();
    private readonly Dictionary<ulong, StoredMessage> _received = [];
    private readonly DueHeap _hidden = new();
    private int _visibleCount;
    private int _inFlight;

    public QueueCounts Counts => new(_visibleCount, _inFlight, _hidden.Count - _inFlight);

    public bool HasDeliverable => _visibleCount > 0 && !IsAtLimit;

    public bool IsAtLimit => _inFlight >= SqsLimit.InFlight;

    /// <summary>When the next hidden message shows; <see cref="long.MaxValue"/>: none is hidden.</summary>
    public long NextDue => _hidden.First?.At ?? long.MaxValue;

    public void Add(StoredMessage message, TimeSpan delay, long now)
    {
        if (delay > TimeSpan.Zero)
            Hide(message, MessageState.Delayed, delay, now);
        else
            Show(message);
    }

    /// <summary>Takes over a message that was received too often in another queue.</summary>
    public void Adopt(StoredMessage message)
    {
        message.ReceivedHere = 0;
        _received.Add(message.Number, message);
        Show(message);
    }

    /// <summary>Shows again what has been hidden for long enough.</summary>
    public void ShowDue(long now)
    {
        while (_hidden.First is StoredMessage first && first.At <= now)
        {
            Unhide(first);
            Show(first);
        }
    }

    /// <summary>Hands out up to <paramref name="max"/> visible messages, oldest in the line first, and hides them.</summary>
    public List<Handout> Take(int max, TimeSpan visibility, QueueSettings settings, QueueInMemory? deadLetters, long now)
    {
        var taken = new List<Handout>(Math.Min(max, _visibleCount));
        var utcNow = time.GetUtcNow().ToUnixTimeMilliseconds();
        // Once through the line at most: a message hidden for no time joins its end again.
        for (var left = _visible.Count; left > 0 && taken.Count < max && !IsAtLimit; left--)
        {
            var message = _visible.Dequeue();
            if (message.State == MessageState.Gone)
                continue;
            _visibleCount--;
            if (utcNow - message.SentAt >= settings.MessageRetention.TotalMilliseconds)
            {
                _received.Remove(message.Number);
            }
            else if (deadLetters is not null && message.ReceivedHere >= settings.Redrive!.MaxReceiveCount)
            {
                _received.Remove(message.Number);
                deadLetters.Adopt(message);
            }
            else
            {
                taken.Add(HandOut(message, utcNow));
                Hide(message, MessageState.InFlight, visibility, now);
            }
        }
        return taken;
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

    public void Delete(ReceiptHandle handle)
    {
        if (Find(handle.Number, handle.Receipt) is not { } message)
            return;
        if (message.State == MessageState.InFlight)
            Unhide(message);
        else
            _visibleCount--;
        _received.Remove(handle.Number);
        message.Drop();
    }

    /// <summary>Null: done.</summary>
    public SqsError? ChangeVisibility(ReceiptHandle handle, TimeSpan visibility, long now)
    {
        if (!_received.ContainsKey(handle.Number))
            return SqsError.InvalidParameterValue;
        if (Find(handle.Number, handle.Receipt) is not { State: MessageState.InFlight } message)
            return SqsError.MessageNotInflight;
        Unhide(message);
        if (visibility > TimeSpan.Zero)
            Hide(message, MessageState.InFlight, visibility, now);
        else
            Show(message);
        return null;
    }

    public void Clear()
    {
        _visible.Clear();
        _received.Clear();
        _hidden.Clear();
        _visibleCount = _inFlight = 0;
    }

    private Handout HandOut(StoredMessage message, long utcNow)
    {
        if (message.FirstReceivedAt == 0)
            message.FirstReceivedAt = utcNow;
        _received.TryAdd(message.Number, message);
        message.ReceiveCount++;
        message.ReceivedHere++;
        message.Receipt++;
        return new Handout(message.Number, message.Receipt, message.Body, message.SentAt, message.FirstReceivedAt, message.ReceiveCount);
    }

    private StoredMessage? Find(ulong number, uint receipt) =>
        _received.TryGetValue(number, out var message) && message.Receipt == receipt ? message : null;

    private void Show(StoredMessage message)
    {
        message.State = MessageState.Visible;
        _visible.Enqueue(message);
        _visibleCount++;
    }

    private void Hide(StoredMessage message, MessageState state, TimeSpan howLong, long now)
    {
        // Hidden for no time at all, it is received and visible at once.
        if (howLong <= TimeSpan.Zero)
        {
            Show(message);
            return;
        }
        message.State = state;
        if (state == MessageState.InFlight)
            _inFlight++;
        _hidden.Add(message, now + (long)(howLong.TotalSeconds * time.TimestampFrequency));
    }

    private void Unhide(StoredMessage message)
    {
        if (message.State == MessageState.InFlight)
            _inFlight--;
        _hidden.Remove(message);
    }
}
