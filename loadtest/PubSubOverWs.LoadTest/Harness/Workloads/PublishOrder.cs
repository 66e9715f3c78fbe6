namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>
/// Decides which message a publisher sends next: in order, none before it is due, and with a limit on unanswered messages. On a new
/// connection it starts with the unanswered messages of the old one. Not thread-safe.
/// </summary>
/// <param name="mostUnanswered">The limit on unanswered messages, so that a send always fits the socket's buffer and never waits.</param>
public sealed class PublishOrder(int messages, int mostUnanswered)
{
    private readonly bool[] _answered = new bool[messages];
    private int _due;
    private int _next;
    private int _oldest;

    /// <summary>Messages sent on this connection and not answered.</summary>
    public int Unanswered { get; private set; }

    /// <summary>One more message is due.</summary>
    public void BecomesDue() => _due++;

    /// <summary>True: this message is to be sent now, and counts as sent. False: none is due, or too many are unanswered.</summary>
    public bool TryNext(out int sequence)
    {
        while (_next < _due && _answered[_next])
            _next++;
        sequence = _next;
        if (_next == _due || Unanswered == mostUnanswered)
            return false;
        _next++;
        Unanswered++;
        return true;
    }

    /// <summary>A message was answered, in whatever way.</summary>
    /// <param name="sequence">Sent on this connection.</param>
    public void Answered(int sequence)
    {
        if (_answered[sequence])
            return;
        _answered[sequence] = true;
        Unanswered--;
        while (_oldest < _due && _answered[_oldest])
            _oldest++;
    }

    /// <summary>There is a new connection.</summary>
    public void StartOver() => (_next, Unanswered) = (_oldest, 0);
}
