using System.Runtime.InteropServices;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// This server's knowledge of the parked queue: how many messages it sent there for which destination, and which of these destinations have
/// a subscriber with room, so that a round through the queue is worth its calls (<see cref="ParkedPoller"/>). The counts are a hint: where
/// the queue itself counts more, after a receive that may have hidden some, and of destinations that are too many or that others parked
/// for, it knows only that something may be there; then a round scans the whole queue. Safe from any thread.
/// </summary>
/// <param name="visibility">How long the queue may hide messages that a dead server had received.</param>
internal sealed class ParkedDestinations(TimeProvider time, TimeSpan visibility)
{
    /// <summary>Destinations that are counted, at most.</summary>
    public const int MaxDestinations = 50_000;

    /// <summary>The most memory that the counts may take, in bytes.</summary>
    public const long MaxBytes = 16 << 20;

    /// <summary>
    /// Between two comparisons with the queue's own count, and between two scans of the whole queue for what cannot be counted.
    /// </summary>
    public static readonly TimeSpan BetweenScans = TimeSpan.FromMinutes(5);

    /// <summary>Messages that a round parks again stay hidden for this time, so that the round does not meet them. Whole seconds.</summary>
    public static readonly TimeSpan HiddenAgain = TimeSpan.FromSeconds(5);

    private const int Stripes = 1_024;
    private const int BytesOfEntry = 160;

    // At most a twentieth of the time goes into scans because the queue counts more: of several servers each counts only what it met.
    private const int RestOfScan = 20;

    private readonly Lock _lock = new();
    private readonly Dictionary<string, Entry> _entries = new(StringComparer.Ordinal);
    private readonly int[] _rooms = new int[Stripes];
    private TaskCompletionSource? _signal;
    private long _bytes;

    // There may be messages that no entry counts: from the start, until a scan that began when no message could still be hidden.
    private bool _isIncomplete = true;
    private long _sureFrom = After(time, visibility);
    private long _nextScan = time.GetTimestamp();
    private bool _isScanWanted;
    private long _nextComparison = After(time, BetweenScans);
    private long _restsUntil = time.GetTimestamp();
    private int _wanted;
    private bool _isIdle;

    private Round _round;

    /// <summary>To be read before a message is offered, and given to <see cref="Parking"/>: shows whether room came meanwhile.</summary>
    public int RoomsAt(string destination) => Volatile.Read(ref _rooms[Stripe(destination)]);

    /// <summary>A subscriber came, or has room again. Cheap while nothing is parked.</summary>
    /// <param name="isWanted">False: messages for it wait here already, and go first.</param>
    public void RoomAt(string destination, bool isWanted)
    {
        if (!DestinationName.IsQueue(destination))
            return;
        Interlocked.Increment(ref _rooms[Stripe(destination)]);
        // A message that is being parked meanwhile sees by the increment that there is room.
        if (!isWanted || Volatile.Read(ref _isIdle))
            return;
        lock (_lock)
            Want(destination);
    }

    /// <summary>A message is about to be sent to the parked queue. <see cref="Parked"/> follows.</summary>
    /// <param name="rooms">The value of <see cref="RoomsAt"/> before it was offered.</param>
    public void Parking(string destination, int rooms)
    {
        lock (_lock)
        {
            Volatile.Write(ref _isIdle, false);
            ref var entry = ref CollectionsMarshal.GetValueRefOrAddDefault(_entries, destination, out var isKnown);
            if (!isKnown && (_entries.Count > MaxDestinations || _bytes + BytesOf(destination) > MaxBytes))
            {
                _entries.Remove(destination);
                _round.HasMissed = true;
                MarkIncomplete(BetweenScans);
            }
            else
            {
                _bytes += isKnown ? 0 : BytesOf(destination);
                entry ??= new Entry();
                EnterRound(entry);
                entry.Count++;
                entry.Pending++;
            }
            Interlocked.MemoryBarrier();
            if (RoomsAt(destination) != rooms)
                Want(destination);
        }
    }

    /// <summary>It is in the parked queue now, or (<paramref name="isThere"/> false) went another way.</summary>
    public void Parked(string destination, bool isThere)
    {
        lock (_lock)
        {
            if (!_entries.TryGetValue(destination, out var entry))
                return;
            entry.Pending = Math.Max(0, entry.Pending - 1);
            entry.LastParked = time.GetTimestamp();
            if (!isThere)
                Decrement(destination, entry);
        }
    }

    /// <summary>There may be messages of which nothing is known here: another server is gone, or the queue took a lease back.</summary>
    public void Forget()
    {
        lock (_lock)
        {
            MarkIncomplete(visibility);
            // Subscribers that have room now do not report it again.
            _isScanWanted = true;
            Signal();
        }
    }

    /// <summary>Messages that are there, or on their way, by this server's count.</summary>
    public long Counted
    {
        get
        {
            lock (_lock)
                return _entries.Values.Sum(entry => (long)entry.Count);
        }
    }

    /// <summary>Completes when a round is worth its calls, or it is time to compare with the queue's own count.</summary>
    /// <exception cref="OperationCanceledException"><paramref name="stopping"/> fired.</exception>
    public async Task DueAsync(CancellationToken stopping)
    {
        while (true)
        {
            stopping.ThrowIfCancellationRequested();
            Task signalled;
            TimeSpan wait;
            lock (_lock)
            {
                var now = time.GetTimestamp();
                var due = _isScanWanted ? Math.Min(_nextScan, _nextComparison) : _nextComparison;
                if (_wanted > 0 || now >= due)
                    return;
                signalled = (_signal ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
                wait = time.GetElapsedTime(now, due);
            }
            await signalled.WaitAsync(wait, time, stopping)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);
        }
    }

    /// <summary>Compares with the queue's own count, and begins a round if that is worth its calls.</summary>
    /// <param name="inQueue">Messages there by its own count, without those that were received here.</param>
    /// <param name="counted">The most that <see cref="Counted"/> may have been at that moment.</param>
    /// <returns>Whether a round began.</returns>
    public bool TryBeginRound(long inQueue, long counted)
    {
        lock (_lock)
        {
            var now = time.GetTimestamp();
            _nextComparison = After(time, BetweenScans);
            if (inQueue > counted && !_isIncomplete)
            {
                MarkIncomplete(visibility);
                _nextScan = Math.Max(_nextScan, _restsUntil);
                _isScanWanted = true;
            }
            var isScan = _isScanWanted && now >= _nextScan;
            if (_wanted == 0 && !isScan)
                return false;
            _round = new Round { Number = _round.Number + 1, Began = now, IsScan = isScan, InQueue = Math.Max(inQueue, counted) };
            return true;
        }
    }

    /// <summary>
    /// The round received a message for the destination. To be called before <see cref="Parking"/> is for the same message. It is one of
    /// those that were counted when the round began, as long as there are any: further ones were parked by others, or meanwhile, and do not
    /// lower the count of those that the round itself parks again. So the count may be too large, which the next round finds; never too
    /// small.
    /// </summary>
    public void Received(string destination)
    {
        lock (_lock)
        {
            _round.Received++;
            if (!_entries.TryGetValue(destination, out var entry))
                return;
            EnterRound(entry);
            if (entry.Unmet == 0)
                return;
            entry.Unmet--;
            Decrement(destination, entry);
        }
    }

    /// <summary>
    /// The round found neither a subscriber with room nor a place here for a message of the destination: it need not continue for this
    /// destination.
    /// </summary>
    public void FoundNoRoom(string destination)
    {
        lock (_lock)
        {
            _round.ParkedAgain++;
            if (_entries.TryGetValue(destination, out var entry))
                ClearWanted(entry);
        }
    }

    /// <summary>It gave back as many as there were: what it meets from now on was parked since it began.</summary>
    public bool HasMetAll
    {
        get
        {
            lock (_lock)
                return _round.ParkedAgain > 0 && _round.ParkedAgain >= _round.InQueue;
        }
    }

    /// <summary>No subscriber waits for more.</summary>
    public bool IsRoundOver
    {
        get
        {
            lock (_lock)
                return _wanted == 0 && !_round.IsScan;
        }
    }

    /// <summary>So far it delivered more than it gave back.</summary>
    public bool IsRoundWorthIt
    {
        get
        {
            lock (_lock)
                return _round.IsWorthIt;
        }
    }

    /// <param name="wasWholeQueue">All was received that was there when the round began.</param>
    /// <returns>Whether it was worth its calls; if not, the next one waits.</returns>
    public bool EndRound(bool wasWholeQueue)
    {
        lock (_lock)
        {
            if (wasWholeQueue)
            {
                ForgetMissing();
                EndScan();
                _nextComparison = time.GetTimestamp();
            }
            _isIdle = !_isIncomplete && _entries.Count == 0;
            return _round.IsWorthIt && _round.Received > 0;
        }
    }

    // Wanted and not found although what this server parked is visible: another had it. Otherwise the queue's own count says so.
    private void ForgetMissing()
    {
        var surelyVisible = _round.Began - Ticks(time, 2 * HiddenAgain);
        foreach (var (destination, entry) in _entries.ToArray())
        {
            if (entry is { IsWanted: true, Pending: 0 } && entry.LastParked < surelyVisible)
                Remove(destination, entry);
        }
    }

    private void EndScan()
    {
        if (_round.IsScan)
            _restsUntil = After(time, RestOfScan * time.GetElapsedTime(_round.Began));
        if (!_isIncomplete)
            return;
        if (_round.HasMissed)
            _nextScan = After(time, BetweenScans);
        else if (_round.Began < _sureFrom)
            _nextScan = _sureFrom;
        else
            _isIncomplete = false;
        _isScanWanted &= _isIncomplete && !_round.HasMissed;
    }

    private void MarkIncomplete(TimeSpan untilScan)
    {
        Volatile.Write(ref _isIdle, false);
        if (!_isIncomplete)
            _nextScan = After(time, untilScan);
        _isIncomplete = true;
        _sureFrom = After(time, visibility);
    }

    private void Want(string destination)
    {
        if (_isIncomplete && !_isScanWanted)
        {
            _isScanWanted = true;
            Signal();
        }
        if (!_entries.TryGetValue(destination, out var entry) || entry.IsWanted || entry.Count == 0)
            return;
        entry.IsWanted = true;
        _wanted++;
        Signal();
    }

    // Before its count changes for the first time since the present round began.
    private void EnterRound(Entry entry)
    {
        if (entry.RoundNumber == _round.Number)
            return;
        entry.RoundNumber = _round.Number;
        entry.Unmet = entry.Count;
    }

    private void ClearWanted(Entry entry)
    {
        if (entry.IsWanted)
            _wanted--;
        entry.IsWanted = false;
    }

    private void Decrement(string destination, Entry entry)
    {
        entry.Count = Math.Max(0, entry.Count - 1);
        entry.Unmet = Math.Min(entry.Unmet, entry.Count);
        if (entry.Count > 0)
            return;
        ClearWanted(entry);
        if (entry.Pending == 0)
            Remove(destination, entry);
    }

    private void Remove(string destination, Entry entry)
    {
        ClearWanted(entry);
        _entries.Remove(destination);
        _bytes -= BytesOf(destination);
    }

    private void Signal()
    {
        _signal?.TrySetResult();
        _signal = null;
    }

    private static int Stripe(string destination) => string.GetHashCode(destination, StringComparison.Ordinal) & (Stripes - 1);

    private static int BytesOf(string destination) => BytesOfEntry + (sizeof(char) * destination.Length);

    private static long Ticks(TimeProvider time, TimeSpan span) => (long)(span.TotalSeconds * time.TimestampFrequency);

    private static long After(TimeProvider time, TimeSpan span) => time.GetTimestamp() + Ticks(time, span);

    private sealed class Entry
    {
        /// <summary>Those in the queue and those on their way there.</summary>
        public int Count { get; set; }

        public int Pending { get; set; }

        /// <summary>The round of <see cref="Unmet"/>.</summary>
        public int RoundNumber { get; set; }

        /// <summary>Of those that were counted when the round began, how many it has not met yet.</summary>
        public int Unmet { get; set; }

        public long LastParked { get; set; }

        /// <summary>A subscriber may have room: a round looks for its messages.</summary>
        public bool IsWanted { get; set; }
    }

    private record struct Round
    {
        /// <summary>From 1; 0 before the first.</summary>
        public int Number { get; init; }

        public long Began { get; init; }
        public bool IsScan { get; init; }

        /// <summary>Messages in the queue when it began.</summary>
        public long InQueue { get; init; }

        public int Received { get; set; }
        public int ParkedAgain { get; set; }

        public readonly bool IsWorthIt => Received == 0 || Received > 2 * ParkedAgain;

        /// <summary>There were more destinations than can be counted.</summary>
        public bool HasMissed { get; set; }
    }
}
