using System.Buffers.Text;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>
/// When the first intact copy of each message of a flow arrived, and the anomalies among the others. Message ids are a prefix and a number.
/// Not thread-safe.
/// </summary>
/// <param name="prefix">ASCII.</param>
/// <param name="messages">The number of messages, numbered from 0.</param>
public sealed class FirstCopies(string prefix, int messages)
{
    private readonly byte[] _prefix = Encoding.ASCII.GetBytes(prefix);
    private readonly long[] _arrived = new long[messages];
    private Anomalies _anomalies;

    public Anomalies Anomalies => _anomalies;

    /// <summary>The arrival, a stamp of <see cref="System.Diagnostics.Stopwatch"/>; null: none arrived.</summary>
    public long? this[int number] => _arrived[number] is not 0 and var stamp ? stamp : null;

    /// <summary>Records a MESSAGE. True: it is the first intact copy of the message with this number.</summary>
    public bool TryTake(StompFrame frame, long stamp, out int number)
    {
        number = 0;
        if (!Payload.TryRead(frame.Body, out var id) || (frame.TryGet(StompNames.Id, out var header) && !header.SequenceEqual(id)))
        {
            _anomalies = _anomalies with { Corrupted = _anomalies.Corrupted + 1 };
        }
        else if (!TryNumber(id, out number))
        {
            _anomalies = _anomalies with { Unexpected = _anomalies.Unexpected + 1 };
        }
        else if (_arrived[number] != 0)
        {
            _anomalies = _anomalies with { Duplicates = _anomalies.Duplicates + 1 };
        }
        else
        {
            _arrived[number] = stamp;
            return true;
        }

        return false;
    }

    private bool TryNumber(ReadOnlySpan<byte> id, out int number)
    {
        number = 0;
        return id.StartsWith(_prefix) && Utf8Parser.TryParse(id[_prefix.Length..], out number, out var length)
            && length == id.Length - _prefix.Length && number >= 0 && number < _arrived.Length;
    }
}
