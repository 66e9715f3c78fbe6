using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.Tests.Record.Accounting;

public sealed class DetectorTests
{
    [Fact]
    public void A_corrupted_copy_does_not_hide_the_intact_one_that_follows()
    {
        var detector = new Detector([new Intention("m", 1, 1, 1, TimeSpan.Zero)]);
        Assert.False(detector.Received("m", 1, TimeSpan.FromSeconds(1), intact: false));
        Assert.True(detector.Received("m", 1, TimeSpan.FromSeconds(2), intact: true));
        Assert.Equal(TimeSpan.FromSeconds(2), detector.Observe()[0].Received);
        Assert.Equal(new Anomalies(0, 0, 0, 1), detector.Anomalies);
    }

    [Fact]
    public void The_first_cause_stays()
    {
        var detector = new Detector([new Intention("m", 1, 1, 1, TimeSpan.Zero)]);
        detector.Failed(0, Cause.ConnectTimeout);
        detector.Failed(0, Cause.ServerClosed);
        Assert.Equal(Cause.ConnectTimeout, detector.Observe()[0].Failure);
    }

    [Fact]
    public void A_message_without_a_readable_id_is_unexpected()
    {
        var detector = new Detector([]);
        detector.Received(null, 1, TimeSpan.Zero, intact: true);
        Assert.Equal(1, detector.Anomalies.Unexpected);
    }
}
