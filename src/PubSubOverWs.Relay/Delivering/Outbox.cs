using System.Net.WebSockets;
using System.Runtime.InteropServices;

namespace PubSubOverWs.Relay;

/// <summary>
/// The frames that one connection is still to be sent: bounded, written by one writer at a time, many frames in one flush when there are
/// many. No message is dropped silently: one that does not fit is refused, and one that was taken but not flushed goes back to its broker.
/// </summary>
internal sealed class Outbox(Connection connection, RelayContext relay) : IThreadPoolWorkItem
{
    /// <summary>Bytes of answers that may wait for a client; beyond them its socket is not read.</summary>
    public const int MaxAnswers = 32 * 1024;

    private const int KeptCapacity = 64;

    // Then others may run: while another session fills this outbox, the one that drains it would not get to its own client.
    private const int DrainedInATurn = 16;

    // Outboxes that the step of a session on this thread fills, which drains them when it ends (OutboxBatch); null outside of a step.
    [ThreadStatic]
    private static List<Outbox>? t_filled;

    private readonly MemoryBudget _budget = relay.OutboxBudget;
    private List<OutboxEntry>? _pending;
    private List<OutboxEntry>? _sending;
    private int _bytes;
    private long _reserved;
    private bool _scheduled;
    private bool _completed;
    private volatile bool _givesBack;
    private int _answers;
    private AnswerBacklog? _answerBacklog;
    private long _refused;
    private TaskCompletionSource? _answersTaken;
    private Task _drain = Task.CompletedTask;
    private TaskCompletionSource? _drained;

    /// <summary>Has the current thread collect the outboxes that it fills, until null is given: the caller drains them.</summary>
    public static void Collect(List<Outbox>? filled) => t_filled = filled;

    /// <summary>Queues a message without waiting. False: full, or closing; the connection is told when there is room again.</summary>
    public bool TryEnqueue(in OutboxEntry entry)
    {
        bool isFull, isScheduled = true;
        lock (this)
        {
            if (_completed || _givesBack)
                return false;
            isFull = IsFull || !_budget.TryHold(Held + entry.Bytes + MemoryBudget.PerMessage, ref _reserved);
            if (isFull)
                _refused = entry.Bytes + MemoryBudget.PerMessage;
            else
                isScheduled = Add(entry);
        }
        if (isFull)
            connection.OnFull();
        else if (!isScheduled)
            Schedule();
        return !isFull;
    }

    /// <summary>A message was refused, and there has been no room since.</summary>
    public bool HasRefused => Volatile.Read(ref _refused) != 0;

    /// <summary>Called periodically: tells of room that another connection left, of the memory that all share.</summary>
    public void TellOfRoom()
    {
        lock (this)
        {
            if (_refused == 0 || IsFull || !_budget.CouldHold(Held + _refused, _reserved))
                return;
            _refused = 0;
        }
        connection.OnRoomAgain();
    }

    /// <summary>
    /// Queues a control frame, even beyond the bounds, because the client is owed an answer. While <see cref="OwesMuch"/> the client's
    /// socket is not read, so that the client cannot make the server owe it more; answers to what it sent before, such as the receipts of
    /// a transaction, wait until it has taken earlier ones.
    /// </summary>
    /// <param name="isLast">Nothing is taken after it.</param>
    public void EnqueueControl(byte[] frame, bool isLast = false)
    {
        var isScheduled = true;
        lock (this)
        {
            if (_completed)
                return;
            if (OwesMuch)
                (_answerBacklog ??= new AnswerBacklog(connection.Sent)).Add(frame);
            else
                isScheduled = Add(new OutboxEntry(null, null, 0, frame));
            _completed = isLast;
        }
        if (!isScheduled)
            Schedule();
    }

    /// <summary>Messages that are not being written yet are no longer sent.</summary>
    public bool GivesBack => _givesBack;

    /// <summary>Takes no more messages, and gives back those that are not being written. Answers are still sent.</summary>
    public void GiveBack()
    {
        List<OutboxEntry> given;
        lock (this)
        {
            _givesBack = true;
            given = _pending?.FindAll(entry => entry.Subscription is not null) ?? [];
            _pending?.RemoveAll(entry => entry.Subscription is not null);
        }
        GiveBack(given);
    }

    /// <summary>More answers wait than a client that reads ever has waiting.</summary>
    public bool OwesMuch => Answers > MaxAnswers;

    /// <summary>Bytes of answers that wait; further ones wait behind them only while these are much.</summary>
    public int Answers => Volatile.Read(ref _answers);

    /// <summary>Completes when the client has taken answers, or is gone.</summary>
    public Task AnswersTakenAsync()
    {
        lock (this)
            return OwesMuch ? (_answersTaken ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task : Task.CompletedTask;
    }

    /// <summary>Nothing waits to be written, and nothing is being written.</summary>
    public bool IsIdle
    {
        get
        {
            lock (this)
                return !_scheduled;
        }
    }

    /// <summary>Takes no more, without waiting: the peer is gone, and messages it did not get must not come back to it.</summary>
    public void Refuse()
    {
        lock (this)
        {
            _completed = true;
            _answerBacklog?.Clear();
        }
    }

    /// <summary>Takes no more; completes when all that was taken is flushed or given back.</summary>
    public Task CompleteAsync()
    {
        lock (this)
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

    private long Held => _bytes + ((long)Count * MemoryBudget.PerMessage);

    private int Count => (_pending?.Count ?? 0) + (_sending?.Count ?? 0);

    private bool IsFull => Count >= relay.Options.OutboxFrames || _bytes >= relay.Options.OutboxBytes;

    // Within the lock. True: it is to be drained anyway.
    private bool Add(in OutboxEntry entry)
    {
        (_pending ??= SpareList<OutboxEntry>.Take()).Add(entry);
        _bytes += entry.Bytes;
        if (entry.Control is { } answer)
        {
            _answers += answer.Length;
            _budget.Hold(Held, ref _reserved);
        }
        var wasScheduled = _scheduled;
        _scheduled = true;
        return wasScheduled;
    }

    private async Task DrainAsync()
    {
        try
        {
            for (var turn = 1; ; turn++)
            {
                var entries = Next(out var roomAgain);
                if (roomAgain)
                    connection.OnRoomAgain();
                if (entries is null)
                    return;
                await SendAsync(entries);
                if (turn % DrainedInATurn == 0)
                    await Task.Yield();
            }
        }
        catch (Exception exception)
        {
            // Sending handles its own failures: this one is of a callback for room, or for a message that was given back.
            relay.Log.SendingFailed(connection.Id, exception);
            connection.Abort();
            GiveUp();
        }
    }

    // Sends the entries and settles those that were flushed. When the peer is gone, cuts the connection and gives the rest back.
    private async ValueTask SendAsync(List<OutboxEntry> entries)
    {
        var batch = FrameBatch.Pool.Get();
        var flushed = 0;
        try
        {
            while (flushed < entries.Count)
            {
                var encoded = Encode(entries, flushed, batch);
                connection.OnWriting(batch);
                var write = WriteAsync(batch, connection.Socket, connection.Stream);
                if (!write.IsCompleted)
                    connection.OnWriteWaits();
                await write;
                connection.OnWritten();
                for (; flushed < encoded; flushed++)
                    entries[flushed].Subscription?.OnFlushed(entries[flushed].Delivery!);
            }
        }
        catch (Exception exception)
        {
            connection.OnWriteFailed();
            if (!connection.IsGone(exception))
                relay.Log.SendingFailed(connection.Id, exception);
            // The receiving side of the connection sees it too, and ends the session.
            connection.OnFailed();
            Refuse();
            entries.RemoveRange(0, flushed);
            GiveBack(entries);
        }
        finally
        {
            connection.Stream.Instead = null;
            batch.Clear();
            FrameBatch.Pool.Return(batch);
        }
    }

    /// <summary>Sends all frames in one write.</summary>
    internal static ValueTask WriteAsync(FrameBatch batch, WebSocket socket, IWire wire)
    {
        if (batch.Count == 0)
            return ValueTask.CompletedTask;
        var only = batch.OnlyMessage;
        wire.Instead = only is null ? batch : null;
        // No token: a cancelled send aborts the whole socket, and only the close time-out may do that.
        return socket.SendAsync(
            only is null ? default : batch.Payloads.Memory, only ?? WebSocketMessageType.Binary, endOfMessage: true,
            CancellationToken.None);
    }

    // The session must not wait for frames that will not be sent.
    private void GiveUp()
    {
        List<OutboxEntry> left;
        lock (this)
        {
            _completed = true;
            left = [.. _sending ?? [], .. _pending ?? []];
            _sending = _pending = null;
            _bytes = _answers = 0;
            _answerBacklog?.Clear();
            _budget.Shrink(Held, ref _reserved);
            _answersTaken?.TrySetResult();
            _scheduled = false;
            _drained?.TrySetResult();
        }
        GiveBack(left);
    }

    private static void GiveBack(List<OutboxEntry> entries)
    {
        for (var i = 0; i < entries.Count; i++)
        {
            var entry = entries[i];
            // First: if this fails, it is not given back again.
            entries[i] = default;
            entry.Subscription?.OnNotFlushed(entry);
        }
    }

    private int Encode(List<OutboxEntry> entries, int next, FrameBatch batch)
    {
        batch.Clear();
        while (next < entries.Count && !batch.IsFull)
        {
            var entry = entries[next];
            if (entry.Subscription is not { } subscription)
            {
                var isPing = ReferenceEquals(entry.Control, FrameBatch.Ping);
                batch.Payloads.Append(isPing ? [] : entry.Control);
                batch.Close(isPing ? null : connection.Kind);
            }
            else if (subscription.IsClosed || GivesBack)
            {
                entries[next] = default;
                subscription.OnNotFlushed(entry);
            }
            else
            {
                batch.Close(subscription.Write(entry, batch.Payloads), entry.Delivery!.Message.Body.Length);
            }
            next++;
        }
        return next;
    }

    private List<OutboxEntry>? Next(out bool roomAgain)
    {
        lock (this)
        {
            _sending?.Clear();
            _bytes = _answers = 0;
            foreach (var entry in CollectionsMarshal.AsSpan(_pending))
            {
                _bytes += entry.Bytes;
                _answers += entry.Control?.Length ?? 0;
            }
            while (!OwesMuch && _answerBacklog?.TakeFirst() is { } answer)
                Add(new OutboxEntry(null, null, 0, answer));
            (_pending, _sending) = (_sending, _pending);
            if (!OwesMuch)
            {
                _answerBacklog = null;
                _answersTaken?.TrySetResult();
                _answersTaken = null;
            }
            _budget.Shrink(Held, ref _reserved);
            roomAgain = _refused > 0 && !IsFull;
            if (roomAgain)
                _refused = 0;
            if (_sending is { Count: > 0 })
                return _sending;
            _scheduled = false;
            _drained?.TrySetResult();
            SpareList<OutboxEntry>.Give(_sending, KeptCapacity);
            SpareList<OutboxEntry>.Give(_pending, KeptCapacity);
            _sending = _pending = null;
            return null;
        }
    }

    // By the step that runs on this thread, so that a relayed message needs no thread hop; else on the thread pool.
    private void Schedule()
    {
        if (t_filled is { } filled)
            filled.Add(this);
        else
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: true);
    }
}

/// <summary>One thing to write: a message for a subscription, or the ready bytes of another frame.</summary>
/// <param name="Subscription">Whose message it is; null for a control frame.</param>
/// <param name="Delivery">The message; null for a control frame.</param>
/// <param name="Number">The message's number within its subscription, from 1.</param>
/// <param name="Control">RECEIPT, ERROR, CONNECTED or a heart-beat, encoded; null for a message.</param>
internal readonly record struct OutboxEntry(Subscription? Subscription, Delivery? Delivery, long Number, byte[]? Control)
{
    public int Bytes => Control?.Length ?? Delivery!.Message.Size;
}
