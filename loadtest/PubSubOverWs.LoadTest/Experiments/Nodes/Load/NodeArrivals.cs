using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Nodes.Load;

/// <summary>
/// When the messages of a flow first arrived, and their anomalies: at one subscriber of a topic, or at all that share queues. Thread-safe.
/// </summary>
/// <param name="prefix">Of the ids; their number follows.</param>
/// <param name="messages">How many there are.</param>
/// <param name="waiting">Told once, when there is nothing more to wait for.</param>
public sealed class NodeArrivals(string prefix, int messages, Countdown waiting)
{
    private readonly Lock _guard = new();
    private readonly FirstCopies _copies = new(prefix, messages);
    private readonly bool[] _settled = new bool[messages];
    private int _open = messages;

    public Anomalies Anomalies => _copies.Anomalies;

    /// <summary>When the first intact copy came, a stamp of <see cref="System.Diagnostics.Stopwatch"/>; null: none came.</summary>
    public long? At(int number) => _copies[number];

    public void Take(StompFrame message, long stamp)
    {
        lock (_guard)
        {
            if (_copies.TryTake(message, stamp, out var number) && !_settled[number])
                Settle(number);
        }
    }

    /// <summary>Stops waiting for missing messages whose recipient knows that it may have missed them.</summary>
    /// <param name="isTold">Which of them.</param>
    public void Excuse(Func<int, bool> isTold)
    {
        lock (_guard)
        {
            for (var number = 0; number < _settled.Length; number++)
            {
                if (!_settled[number] && isTold(number))
                    Settle(number);
            }
        }
    }

    /// <summary>There is nothing more to wait for.</summary>
    public void GiveUp() => Excuse(_ => true);

    private void Settle(int number)
    {
        _settled[number] = true;
        if (--_open == 0)
            waiting.Signal();
    }
}
