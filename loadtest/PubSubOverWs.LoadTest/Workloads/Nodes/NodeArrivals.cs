using System.Buffers.Text;
using System.Text;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Workloads.Nodes;

/// <summary>
/// Which of a flow's messages came, when first, and what came otherwise than it should: of one subscriber of a topic, or of all that share
/// queues. For several threads.
/// </summary>
/// <param name="prefix">Of the ids; their number follows.</param>
/// <param name="messages">How many there are.</param>
/// <param name="waiting">Told once, when there is nothing more to wait for.</param>
public sealed class NodeArrivals(string prefix, int messages, Countdown waiting)
{
    private readonly Lock _guard = new();
    private readonly byte[] _prefix = Encoding.ASCII.GetBytes(prefix);
    private readonly long[] _first = new long[messages];
    private readonly bool[] _settled = new bool[messages];
    private int _open = messages;
    private Anomalies _anomalies;

    public Anomalies Anomalies => _anomalies;

    /// <summary>When the first intact copy came, a stamp of <see cref="System.Diagnostics.Stopwatch"/>; null: none came.</summary>
    public long? At(int number) => _first[number] is not 0 and var stamp ? stamp : null;

    public void Take(StompFrame message, long stamp)
    {
        lock (_guard)
        {
            if (!Payload.TryRead(message.Body, out var id) || (message.TryGet(StompNames.Id, out var named) && !named.SequenceEqual(id)))
                _anomalies = _anomalies with { Corrupted = _anomalies.Corrupted + 1 };
            else if (!TryNumber(id, out var number))
                _anomalies = _anomalies with { Unexpected = _anomalies.Unexpected + 1 };
            else if (_first[number] != 0)
                _anomalies = _anomalies with { Duplicates = _anomalies.Duplicates + 1 };
            else
                Take(number, stamp);
        }
    }

    /// <summary>Nobody waits any more for those that are still missing, for their recipient was told.</summary>
    /// <param name="isTold">Which of them.</param>
    public void Excuse(Func<int, bool> isTold)
    {
        lock (_guard)
        {
            for (var number = 0; number < _first.Length; number++)
            {
                if (!_settled[number] && isTold(number))
                    Settle(number);
            }
        }
    }

    /// <summary>There is nothing more to wait for.</summary>
    public void GiveUp() => Excuse(_ => true);

    private void Take(int number, long stamp)
    {
        _first[number] = stamp;
        if (!_settled[number])
            Settle(number);
    }

    private void Settle(int number)
    {
        _settled[number] = true;
        if (--_open == 0)
            waiting.Signal();
    }

    private bool TryNumber(ReadOnlySpan<byte> id, out int number)
    {
        number = 0;
        return id.StartsWith(_prefix) && Utf8Parser.TryParse(id[_prefix.Length..], out number, out var length)
            && length == id.Length - _prefix.Length && number >= 0 && number < _first.Length;
    }
}
