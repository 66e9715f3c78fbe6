namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>
/// Which of a publisher's messages goes out next: in order, none before it is due, and no more without an answer than allowed. On a new
/// connection it starts with what was not answered on the old one. Knows no socket. Not for several threads.
/// </summary>
/// <param name="messages">How many there are.</param>
/// <param name="mostUnanswered">How many may be without an answer, so that a send always fits the socket's buffer and never waits.</param>
public sealed class PublishOrder(int messages, int mostUnanswered)
{
    private readonly bool[] _answered = new bool[messages];
    private int _due;
    private int _next;
    private int _oldest;

    /// <summary>Sent on this connection, and not answered.</summary>
    public int Unanswered { get; private set; }

    /// <summary>One more is due.</summary>
    public void BecomesDue() => _due++;

    /// <summary>True: this one is to be sent now, and counts as sent. False: nothing is due, or too many are without an answer.</summary>
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

    /// <summary>An answer came, whatever it said.</summary>
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

    /// <summary>There is a new connection, on which nothing was sent.</summary>
    public void StartOver() => (_next, Unanswered) = (_oldest, 0);
}
