namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

/// <summary>
/// When each measurement of a sensor came to one client for the first time, and the anomalies among the others. Not
/// thread-safe.
/// </summary>
/// <param name="sent">The server's stamp of each measurement, shared by all clients of the sensor: 0 until one has received it.</param>
/// <param name="time">The clock of all stamps, which is the machine's.</param>
public sealed class MeasurementLog(long[] sent, TimeProvider time)
{
    private readonly long[] _arrived = new long[sent.Length];
    private Anomalies _anomalies;
    private int _latest = -1;

    public Anomalies Anomalies => _anomalies;

    /// <summary>Measurements that did not come yet.</summary>
    public int Missing { get; private set; } = sent.Length;

    /// <summary>The number of the last one that came; null: none did.</summary>
    public int? Latest => _latest < 0 ? null : _latest;

    /// <summary>When the first one came that came at <paramref name="stamp"/> or later; null: none did.</summary>
    public long? FirstSince(long stamp) => Stamp(_arrived.Where(arrived => arrived >= stamp).DefaultIfEmpty().Min());

    /// <summary>The server's stamp; null: no client received it.</summary>
    public long? SentAt(int number) => Stamp(Volatile.Read(ref sent[number]));

    /// <summary>When it came; null: it did not.</summary>
    public long? ArrivedAt(int number) => Stamp(_arrived[number]);

    /// <summary>From the server's stamp to its arrival; null: it did not come.</summary>
    public TimeSpan? LatencyOf(int number) =>
        ArrivedAt(number) is { } arrived ? time.GetElapsedTime(sent[number], arrived) : null;

    /// <summary>Measurements that came together, one behind the other.</summary>
    /// <param name="stamp">When.</param>
    public void Take(ReadOnlySpan<byte> bytes, long stamp)
    {
        for (; bytes.Length >= Measurement.Bytes; bytes = bytes[Measurement.Bytes..])
            TakeOne(bytes[..Measurement.Bytes], stamp);
        if (bytes.Length > 0)
            _anomalies = _anomalies with { Corrupted = _anomalies.Corrupted + 1 };
    }

    private void TakeOne(ReadOnlySpan<byte> bytes, long stamp)
    {
        if (!Measurement.TryRead(bytes, out var measurement))
        {
            _anomalies = _anomalies with { Corrupted = _anomalies.Corrupted + 1 };
        }
        else if (measurement.Number >= _arrived.Length)
        {
            _anomalies = _anomalies with { Unexpected = _anomalies.Unexpected + 1 };
        }
        else if (_arrived[measurement.Number] != 0)
        {
            _anomalies = _anomalies with { Duplicates = _anomalies.Duplicates + 1 };
        }
        else
        {
            _arrived[measurement.Number] = stamp;
            Volatile.Write(ref sent[measurement.Number], measurement.StampBefore(stamp, time));
            Missing--;
            if (measurement.Number < _latest)
                _anomalies = _anomalies with { Reorderings = _anomalies.Reorderings + 1 };
            _latest = Math.Max(_latest, measurement.Number);
        }
    }

    private static long? Stamp(long stamp) => stamp == 0 ? null : stamp;
}
