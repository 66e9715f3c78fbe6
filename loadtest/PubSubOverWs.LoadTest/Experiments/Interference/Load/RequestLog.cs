using System.Buffers.Text;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load;

/// <summary>
/// The requests of an iteration, when each was sent and when its reply came. One thread sends and another receives; the rest is read when
/// both have ended. A request is its id, filled to its size; its reply is the same.
/// </summary>
public sealed class RequestLog
{
    private const byte Filling = (byte)' ';

    private readonly byte[] _prefix;
    private readonly byte[][] _messages;
    private readonly byte[][] _frames;
    private readonly long[] _sent;
    private readonly long[] _received;
    private readonly Countdown _waiting;
    private int _missing;
    private int _latest = -1;
    private int _gaveUp;
    private Anomalies _anomalies;

    /// <param name="name">Of the iteration: what ids begin with, ASCII.</param>
    /// <param name="requests">1 or more.</param>
    /// <param name="waiting">Told once, when all replies have come or can no longer come.</param>
    public RequestLog(string name, int requests, int messageBytes, Countdown waiting)
    {
        Name = name;
        MessageBytes = messageBytes;
        _waiting = waiting;
        _missing = requests;
        _sent = new long[requests];
        _received = new long[requests];
        _prefix = Encoding.ASCII.GetBytes(name + "-");
        _messages = [.. Enumerable.Range(0, requests).Select(number =>
            Encoding.ASCII.GetBytes(Id(number).PadRight(messageBytes, (char)Filling)))];
        _frames = [.. _messages.Select(message => ClientFrames.Write(Opcodes.Text, message, mask: 0))];
    }

    public string Name { get; }

    public int Count => _sent.Length;

    public int MessageBytes { get; }

    /// <summary>Payload of all replies so far: for the receiving thread.</summary>
    public long ReplyBytes { get; private set; }

    public Anomalies Anomalies => _anomalies;

    public string Id(int number) => string.Create(CultureInfo.InvariantCulture, $"{Name}-{number}");

    /// <summary>A request.</summary>
    public ReadOnlyMemory<byte> Message(int number) => _messages[number];

    /// <summary>The frame of a request, built before anything is timed.</summary>
    public ReadOnlySpan<byte> Frame(int number) => _frames[number];

    /// <summary>Records the moment before a request is sent.</summary>
    public void SentAt(int number, long stamp) => Volatile.Write(ref _sent[number], stamp);

    /// <summary>When a request was sent, and its first reply came: stamps of <see cref="System.Diagnostics.Stopwatch"/>.</summary>
    public (long? Sent, long? Received) this[int number] => (Known(_sent[number]), Known(_received[number]));

    /// <summary>Takes a message if it is a reply.</summary>
    /// <param name="beginning">Its first bytes.</param>
    /// <param name="length">All of them.</param>
    /// <param name="stamp">Taken right after the receive.</param>
    /// <returns>False: it belongs to the stream.</returns>
    public bool TryTake(ReadOnlySpan<byte> beginning, long length, long stamp)
    {
        if (length != MessageBytes || !beginning.StartsWith(_prefix)
            || !Utf8Parser.TryParse(beginning[_prefix.Length..], out int number, out var digits)
            || beginning[(_prefix.Length + digits)..].ContainsAnyExcept(Filling))
            return false;
        ReplyBytes += length;
        if ((uint)number >= _sent.Length || Volatile.Read(ref _sent[number]) == 0)
            _anomalies = _anomalies with { Unexpected = _anomalies.Unexpected + 1 };
        else if (_received[number] != 0)
            _anomalies = _anomalies with { Duplicates = _anomalies.Duplicates + 1 };
        else
            Record(number, stamp);
        return true;
    }

    /// <summary>No more replies can come.</summary>
    public void GiveUp() => SignalOnce();

    private void Record(int number, long stamp)
    {
        if (number < _latest)
            _anomalies = _anomalies with { Reorderings = _anomalies.Reorderings + 1 };
        _latest = Math.Max(_latest, number);
        _received[number] = stamp;
        if (--_missing == 0)
            SignalOnce();
    }

    private void SignalOnce()
    {
        if (Interlocked.Exchange(ref _gaveUp, 1) == 0)
            _waiting.Signal();
    }

    private static long? Known(long stamp) => stamp == 0 ? null : stamp;
}
