using PubSubOverWs.LoadTest.Experiments.Transports.Load;
using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Transports.Load;

public sealed class MeasurementLogTests
{
    private static readonly FakeTime Time = new();

    private static readonly long Second = Time.TimestampFrequency;

    private readonly long[] _sent = new long[3];
    private readonly MeasurementLog _log;

    public MeasurementLogTests() => _log = new MeasurementLog(_sent, Time);

    [Fact]
    public void Measurements_that_come_together_count_each_by_itself_from_the_servers_stamp()
    {
        _log.Take([.. Of(0, at: 10), .. Of(1, at: 11)], 12 * Second);

        Assert.Equal((TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(1), null), (_log.LatencyOf(0), _log.LatencyOf(1), _log.LatencyOf(2)));
        Assert.Equal((1, default), (_log.Missing, _log.Anomalies));
    }

    [Fact]
    public void It_knows_the_last_one_that_came_and_when_the_first_came_after_a_moment()
    {
        Assert.Equal((null, null), (_log.Latest, _log.FirstSince(0)));

        _log.Take(Of(0, at: 1), 2 * Second);
        _log.Take(Of(2, at: 3), 4 * Second);

        Assert.Equal((2, 4 * Second, null), (_log.Latest, _log.FirstSince(3 * Second), _log.FirstSince(5 * Second)));
    }

    [Fact]
    public void Clients_of_one_sensor_share_its_stamps()
    {
        var other = new MeasurementLog(_sent, Time);
        other.Take(Of(2, at: 5), 6 * Second);

        Assert.Equal((5 * Second, null), (_log.SentAt(2), _log.ArrivedAt(2)));
        Assert.Null(_log.SentAt(0));
    }

    [Fact]
    public void Copies_strangers_damage_and_another_order_are_counted_apart()
    {
        _log.Take(Of(1, at: 1), 2 * Second);
        _log.Take(Of(0, at: 1), 2 * Second);
        _log.Take(Of(1, at: 1), 3 * Second);
        _log.Take(Of(3, at: 1), 2 * Second);
        _log.Take("00000002 x000000000000"u8, 2 * Second);
        _log.Take("000"u8, 2 * Second);

        Assert.Equal(new Anomalies(Duplicates: 1, Reorderings: 1, Unexpected: 1, Corrupted: 2), _log.Anomalies);
        Assert.Equal((1, TimeSpan.FromSeconds(1)), (_log.Missing, _log.LatencyOf(1)));
    }

    private static byte[] Of(int number, int at) => Measurement.At(number, at * Second, Time).Write();
}
