namespace PubSubOverWs.Relay;

/// <summary>
/// What one connection is still to be sent: bounded, written by one writer at a time, many frames in one flush when there are many.
/// Nothing is dropped in silence: what does not fit is refused, and what was taken but not flushed goes back to its broker.
/// </summary>
internal sealed class Outbox(Connection connection, RelayOptions options, MemoryBudget budget) : IThreadPoolWorkItem
{
    /// <summary>Bytes of answers that may wait for a client before its socket is not read any more.</summary>
    public const int MostAnswers = 32 * 1024;

    private const int KeptCapacity = 64;

    private readonly Lock _gate = new();
    private List<OutboxEntry> _pending = [];
    private List<OutboxEntry> _sending = [];
    private int _bytes;
    private long _reserved;
    private bool _scheduled;
    private bool _completed;
    private volatile bool _givesBack;
    private int _answers;
    private long _refused;
    private TaskCompletionSource? _answersTaken;
    private Task _drain = Task.CompletedTask;
    private TaskCompletionSource? _drained;

    /// <summary>Queues a message without waiting. False: full, or closing; when room comes back the connection is told.</summary>
    public bool TryEnqueue(in OutboxEntry entry)
    {
        bool isFull, isSeenTo = true;
        lock (_gate)
        {
            if (_completed || _givesBack)
                return false;
            isFull = IsFull || !budget.TryHold(Held + entry.Bytes + MemoryBudget.PerMessage, ref _reserved);
            if (isFull)
                _refused = entry.Bytes + MemoryBudget.PerMessage;
            else
                isSeenTo = Add(entry);
        }
        if (isFull)
            connection.OnFull();
        else if (!isSeenTo)
            OutboxBatch.Schedule(this);
        return !isFull;
    }

    /// <summary>Now and then: tells of room that came because another connection made it, of what all share.</summary>
    public void TellOfRoom()
    {
        lock (_gate)
        {
            if (_refused == 0 || IsFull || !budget.CouldHold(Held + _refused, _reserved))
                return;
            _refused = 0;
        }
        connection.OnRoomAgain();
    }

    /// <summary>
    /// Queues a control frame, beyond all bounds if need be, for an answer is owed. While <see cref="OwesMuch"/> the client's socket is not
    /// read,
    /// so that it cannot make the server owe it more.
    /// </summary>
    /// <param name="isLast">Nothing is taken after it.</param>
    public void EnqueueControl(byte[] frame, bool isLast = false)
    {
        bool isSeenTo;
        lock (_gate)
        {
            if (_completed)
                return;
            isSeenTo = Add(new OutboxEntry(null, null, 0, frame));
            _answers += frame.Length;
            budget.Hold(Held, ref _reserved);
            _completed = isLast;
        }
        if (!isSeenTo)
            OutboxBatch.Schedule(this);
    }

    /// <summary>Messages that are not being written yet do not go any more.</summary>
    public bool GivesBack => _givesBack;

    /// <summary>Takes no more messages, and gives back those that are not being written. Answers still go.</summary>
    public void GiveBack()
    {
        List<OutboxEntry> given;
        lock (_gate)
        {
            _givesBack = true;
            given = _pending.FindAll(entry => entry.Subscription is not null);
            _pending.RemoveAll(entry => entry.Subscription is not null);
        }
        foreach (var entry in given)
            entry.Subscription!.OnNotFlushed(entry.Delivery!);
    }

    /// <summary>More answers wait than a client that reads ever has waiting.</summary>
    public bool OwesMuch => Answers > MostAnswers;

    /// <summary>Bytes of answers that wait.</summary>
    public int Answers => Volatile.Read(ref _answers);

    /// <summary>Completes when the client has taken answers, or is gone.</summary>
    public Task AnswersTakenAsync()
    {
        lock (_gate)
            return OwesMuch ? (_answersTaken ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task : Task.CompletedTask;
    }

    /// <summary>Nothing waits to be written, and nothing is being written.</summary>
    public bool IsIdle
    {
        get
        {
            lock (_gate)
                return !_scheduled;
        }
    }

    /// <summary>Takes no more, without waiting: the peer is gone, and what it did not get must not come back to it.</summary>
    public void Refuse()
    {
        lock (_gate)
            _completed = true;
    }

    /// <summary>Takes no more; completes when all that was taken is flushed or given back.</summary>
    public Task CompleteAsync()
    {
        lock (_gate)
        {
            _completed = true;
            if (!_scheduled)
                return _drain;
            _drained ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _drained.Task;
        }
    }

    /// <summary>Drains on this thread as far as it goes without waiting.</summary>
    public void Execute() => _drain = DrainAsync();

    private long Held => _bytes + ((long)(_pending.Count + _sending.Count) * MemoryBudget.PerMessage);

    private bool IsFull => _pending.Count + _sending.Count >= options.OutboxFrames || _bytes >= options.OutboxBytes;

    // Within the lock. True: somebody already sees to it that it is drained.
    private bool Add(in OutboxEntry entry)
    {
        _pending.Add(entry);
        _bytes += entry.Bytes;
        var wasScheduled = _scheduled;
        _scheduled = true;
        return wasScheduled;
    }

    private async Task DrainAsync()
    {
        while (true)
        {
            var entries = Next(out var roomAgain);
            if (roomAgain)
                connection.OnRoomAgain();
            if (entries is null)
                return;
            await connection.SendAsync(entries);
        }
    }

    private List<OutboxEntry>? Next(out bool roomAgain)
    {
        lock (_gate)
        {
            _sending.Clear();
            (_pending, _sending) = (_sending, _pending);
            _bytes = _answers = 0;
            foreach (var entry in _sending)
            {
                _bytes += entry.Bytes;
                _answers += entry.Control?.Length ?? 0;
            }
            if (!OwesMuch)
            {
                _answersTaken?.TrySetResult();
                _answersTaken = null;
            }
            budget.Shrink(Held, ref _reserved);
            roomAgain = _refused > 0 && !IsFull;
            if (roomAgain)
                _refused = 0;
            if (_sending.Count > 0)
                return _sending;
            _scheduled = false;
            _drained?.TrySetResult();
            Trim();
            return null;
        }
    }

    private void Trim()
    {
        if (_pending.Capacity > KeptCapacity)
            _pending.Capacity = 0;
        if (_sending.Capacity > KeptCapacity)
            _sending.Capacity = 0;
    }
}
