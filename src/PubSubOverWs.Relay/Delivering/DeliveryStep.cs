using Microsoft.Extensions.Options;

namespace PubSubOverWs.Relay;

/// <summary>
/// The one place where both servers can be made slow (<see cref="DeliveryOptions"/>): a delivered message takes one of a few places for a
/// fixed time; while none is free, the next message finds no room. A broker that keeps such messages is told of each free place, one
/// destination after the other in the order of their messages.
/// </summary>
/// <remarks>
/// Places are accounted for on the monotonic time line and not by timers, which are late by a millisecond and more: a message that waited
/// takes its place from the moment on at which that became free. So as long as something waits, exactly AtATime / Cost messages pass. One
/// that did not wait takes its place when it comes.
/// </remarks>
internal sealed class DeliveryStep : IDisposable
{
    // A place that was free for longer had no message waiting for it, or the process was suspended.
    private static readonly TimeSpan MaxLate = TimeSpan.FromMilliseconds(250);

    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private readonly long _cost;
    private readonly long _maxLate;

    // Round and round: the next place to take is the one that becomes free first, because all take the same time.
    private readonly long[] _freeAt;
    private int _next;
    private long _lastStart = long.MinValue;

    // Destinations at which something waits, each once.
    private readonly Queue<string> _line = [];
    private readonly HashSet<string> _inLine = new(StringComparer.Ordinal);

    // Destinations that were told of room, and how many messages of each may go before those that stand in line.
    private readonly Dictionary<string, long> _passes = new(StringComparer.Ordinal);
    private bool _isTimerSet;

    public DeliveryStep(IOptions<RelayOptions> options, TimeProvider time)
    {
        _time = time;
        _cost = Stamps(options.Value.Delivery.Cost);
        _maxLate = Stamps(MaxLate);
        _freeAt = new long[IsOn ? options.Value.Delivery.AtATime : 1];
        Array.Fill(_freeAt, time.GetTimestamp());
        _timer = time.CreateTimer(_ => TellOfRoom(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public bool IsOn => _cost > 0;

    /// <summary>
    /// Called on the timer's thread with a destination whose messages may be offered again. Null: refused messages are dropped.
    /// </summary>
    public Action<string>? RoomAt { get; set; }

    /// <summary>Delivers if a place is free; the place is taken if a subscriber took the message.</summary>
    public DeliverOutcome Deliver(Delivery delivery, Subscriptions.Destination destination)
    {
        // Held while the message is delivered: no two take one place.
        lock (_gate)
        {
            var now = _time.GetTimestamp();
            if (now < _freeAt[_next] || !IsItsTurn(delivery))
            {
                _passes.Remove(destination.Name);
                delivery.WithoutRoom = destination.Copies;
                LineUp(destination.Name, now);
                return DeliverOutcome.NoRoom;
            }
            var copies = destination.Copies;
            var outcome = destination.Deliver(delivery);
            // Of a topic some may have it, though not all.
            if (outcome == DeliverOutcome.Taken || (outcome == DeliverOutcome.Missed && delivery.WithoutRoom < copies))
            {
                TakePlace(now, delivery.HasWaited);
                UsePass(destination.Name);
            }

            return outcome;
        }
    }

    public void Dispose() => _timer.Dispose();

    // A message that waited goes when its destination was told, and no destination goes before one that was told less often.
    private bool IsItsTurn(Delivery delivery) =>
        (_line.Count == 0 && (_passes.Count == 0 || !delivery.HasWaited))
            || (delivery.HasWaited && _passes.ContainsKey(delivery.Message.Destination));

    private void UsePass(string destination)
    {
        if (!_passes.TryGetValue(destination, out var left))
            return;
        if (left > 1)
            _passes[destination] = left - 1;
        else
            _passes.Remove(destination);
    }

    private void TakePlace(long now, bool hasWaited)
    {
        var free = _freeAt[_next];
        _lastStart = hasWaited && now - free <= _maxLate ? Math.Max(free, _lastStart) : now;
        _freeAt[_next] = _lastStart + _cost;
        _next = _next + 1 < _freeAt.Length ? _next + 1 : 0;
    }

    private void LineUp(string destination, long now)
    {
        if (RoomAt is null)
            return;
        if (_inLine.Add(destination))
            _line.Enqueue(destination);
        SetTimer(now);
    }

    private void TellOfRoom()
    {
        List<string> told = [];
        lock (_gate)
        {
            _isTimerSet = false;
            var now = _time.GetTimestamp();
            // Equal numbers for each: a destination with many messages would otherwise take the places of those behind it, which would go
            // back to the end of the line again and again.
            var places = PlacesSince(now);
            for (var count = Math.Min(places, _line.Count); told.Count < count;)
            {
                var destination = _line.Dequeue();
                _inLine.Remove(destination);
                _passes[destination] = (places / count) + (told.Count < places % count ? 1 : 0);
                told.Add(destination);
            }
            if (_line.Count > 0)
                SetTimer(now);
        }
        told.ForEach(RoomAt!);
    }

    // How many messages that waited can begin now: a place that became free long ago can be taken several times.
    private long PlacesSince(long now)
    {
        long places = 0;
        for (var i = 0; i < _freeAt.Length && _freeAt[(_next + i) % _freeAt.Length] is var free && free <= now; i++)
            places += 1 + (Math.Min(now - free, _maxLate) / _cost);
        return places;
    }

    private void SetTimer(long now)
    {
        if (_isTimerSet)
            return;
        _isTimerSet = true;
        // Whole milliseconds, and at least one: timers cut the rest off, and one of 0 would go off again and again until the place is free.
        var wait = _time.GetElapsedTime(now, Math.Max(_freeAt[_next], now));
        _timer.Change(TimeSpan.FromMilliseconds(Math.Max(1, Math.Ceiling(wait.TotalMilliseconds))), Timeout.InfiniteTimeSpan);
    }

    private long Stamps(TimeSpan time) => (long)(time.TotalSeconds * _time.TimestampFrequency);
}
