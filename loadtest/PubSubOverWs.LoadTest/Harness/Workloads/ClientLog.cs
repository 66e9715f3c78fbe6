using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>
/// The messages of one user and everything that it received, in the order of arrival. Nothing is concluded from it before the load has
/// ended. Stamps are of <see cref="System.Diagnostics.Stopwatch"/>.
/// </summary>
public sealed class ClientLog
{
    private readonly OwnMessage[] _messages;
    private readonly Countdown _waiting;
    private readonly List<Arrived> _arrived;
    private int _next;
    private int _open;

    /// <param name="messageIds">Of the user's messages, in sending order.</param>
    /// <param name="waiting">Signaled once, when there is nothing more to wait for.</param>
    public ClientLog(IEnumerable<string> messageIds, Countdown waiting)
    {
        _messages = [.. messageIds.Select(id => new OwnMessage(id))];
        _waiting = waiting;
        _arrived = new(_messages.Length);
        _open = _messages.Length;
    }

    /// <summary>The user's own, in sending order.</summary>
    public IReadOnlyList<OwnMessage> Messages => _messages;

    /// <summary>Every received message, expected or not.</summary>
    public IReadOnlyList<Arrived> Arrived => _arrived;

    /// <summary>The first thing that went wrong with the connection; null: nothing.</summary>
    public ConnectFailure? Failure { get; private set; }

    /// <summary>Records a frame.</summary>
    /// <param name="frame">MESSAGE, RECEIPT or ERROR; SEND from an echo.</param>
    /// <param name="stamp">Taken right after the receive.</param>
    public void Take(StompFrame frame, long stamp)
    {
        switch (frame.Command)
        {
            case StompCommand.Message or StompCommand.Send:
                TakeMessage(frame, stamp);
                break;
            case StompCommand.Receipt:
                if (OwnMessage.Answered(_messages, frame, stamp) is { Taken: false } refused)
                    Settle(refused);
                break;
            case StompCommand.Error:
                Fail(ConnectFailure.From(frame));
                break;
        }
    }

    /// <summary>Records a message that was received elsewhere.</summary>
    /// <param name="id">Its application id; null: it has none.</param>
    /// <param name="isIntact">Its body is the one that was sent with this id.</param>
    public void Take(string? id, long stamp, bool isIntact) => _arrived.Add(new Arrived(id, stamp, isIntact));

    public void Fail(ConnectFailure failure) => Failure ??= failure;

    /// <summary>There is nothing more to wait for.</summary>
    public void GiveUp()
    {
        if (_open == 0)
            return;
        _open = 0;
        _waiting.Signal();
    }

    private void TakeMessage(StompFrame frame, long stamp)
    {
        var whole = Payload.TryRead(frame.Body, out var inside);
        var named = frame.TryGet(StompNames.Id, out var header) ? header : inside;
        var intact = whole && named.SequenceEqual(inside);
        var own = Find(named);
        _arrived.Add(new Arrived(own?.Id ?? Encoding.UTF8.GetString(named), stamp, intact));
        if (own is not null && intact)
            Settle(own);
    }

    // Begins after the last hit: messages nearly always arrive in the order in which they were sent.
    private OwnMessage? Find(ReadOnlySpan<byte> id)
    {
        for (var i = 0; i < _messages.Length; i++)
        {
            var at = (_next + i) % _messages.Length;
            if (!_messages[at].HasId(id))
                continue;
            _next = at + 1;
            return _messages[at];
        }
        return null;
    }

    private void Settle(OwnMessage own)
    {
        if (own.IsSettled)
            return;
        own.IsSettled = true;
        if (_open > 0 && --_open == 0)
            _waiting.Signal();
    }
}

/// <summary>A message that a user received.</summary>
/// <param name="MessageId">Its id; null: none.</param>
/// <param name="Stamp">Of <see cref="System.Diagnostics.Stopwatch"/>, taken right after the receive.</param>
/// <param name="Intact">The payload's checksum holds, and the id in it is the one in the header.</param>
public readonly record struct Arrived(string? MessageId, long Stamp, bool Intact);
