using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Tests.Experiment.Accounting;

/// <summary>The detector is itself tested: what is injected must be counted, and nothing else.</summary>
public sealed class DetectorTests
{
    private const int Publishers = 20;
    private const int Each = 50;
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(10);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Injected_loss_duplication_reordering_lateness_and_corruption_are_counted_exactly(int seed)
    {
        var plan = Plan();
        var detector = new Detector(plan);
        var random = new Random(seed);
        var faults = plan.Select(_ => (Fault)random.Next(Enum.GetValues<Fault>().Length)).ToArray();
        for (var i = 0; i < plan.Count; i++)
            detector.Sent(i, plan[i].Due);

        var reordered = 0;
        for (var first = 0; first < plan.Count; first += 2)
            reordered += Deliver(detector, plan, faults, first, swap: random.Next(2) == 0);

        var attempts = Accountant.Classify(detector.Observe(), Deadline, QueueRemains.None);
        var sum = Accountant.Sum(attempts, detector.Acknowledged);
        Assert.Equal(faults.Count(fault => fault is Fault.Lost or Fault.Corrupted), sum.LostUnacknowledged);
        Assert.Equal(faults.Count(fault => fault == Fault.Late), sum.Late);
        Assert.Equal(faults.Count(fault => fault is Fault.None or Fault.Duplicated or Fault.Misdirected), sum.Delivered);
        Assert.Equal(
            new Anomalies(Count(Fault.Duplicated), reordered, Count(Fault.Misdirected), Count(Fault.Corrupted)),
            detector.Anomalies);
        Assert.NotEqual(0, reordered);

        int Count(Fault fault) => faults.Count(one => one == fault);
    }

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

    private static List<Intention> Plan() => [.. Enumerable.Range(0, Publishers * Each).Select(i =>
        new Intention($"m{i}", i / Each, i % Each, 1000 + (i / Each), TimeSpan.FromMilliseconds(i)))];

    /// <summary>Delivers two neighbours, in order or swapped; returns how many came out of order.</summary>
    private static int Deliver(Detector detector, List<Intention> plan, Fault[] faults, int first, bool swap)
    {
        foreach (var i in swap ? new[] { first + 1, first } : [first, first + 1])
            Deliver(detector, plan[i], faults[i]);
        return swap && Arrives(faults[first]) && Arrives(faults[first + 1]) ? 1 : 0;
    }

    private static void Deliver(Detector detector, Intention one, Fault fault)
    {
        if (fault == Fault.Lost)
            return;
        var at = one.Due + (fault == Fault.Late ? Deadline + TimeSpan.FromTicks(1) : TimeSpan.FromMilliseconds(5));
        detector.Received(one.MessageId, one.Recipient, at, intact: fault != Fault.Corrupted);
        if (fault == Fault.Duplicated)
            detector.Received(one.MessageId, one.Recipient, at, intact: true);
        if (fault == Fault.Misdirected)
            detector.Received(one.MessageId, one.Recipient + 1, at, intact: true);
    }

    private static bool Arrives(Fault fault) => fault is not (Fault.Lost or Fault.Corrupted);

    private enum Fault
    {
        None,
        Lost,
        Late,
        Duplicated,
        Corrupted,
        Misdirected,
    }
}
