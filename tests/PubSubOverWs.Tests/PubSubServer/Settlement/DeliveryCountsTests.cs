using PubSubOverWs.PubSubServer;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class DeliveryCountsTests
{
    [Fact]
    public void The_latest_count_of_a_message_is_remembered()
    {
        var counts = new DeliveryCounts(capacity: 2, maxBytes: 10_000);
        Assert.Equal(0, counts.Recall(Sample.Message("a")));
        counts.Remember(Sample.Message("a"), 1);
        counts.Remember(Sample.Message("a"), 3);
        Assert.Equal((3, 0), (counts.Recall(Sample.Message("a")), counts.Recall(Sample.Message("b"))));
    }

    [Fact]
    public void Beyond_its_capacity_the_oldest_is_forgotten()
    {
        var counts = new DeliveryCounts(capacity: 2, maxBytes: 10_000);
        counts.Remember(Sample.Message("a"), 1);
        counts.Remember(Sample.Message("b"), 2);
        counts.Remember(Sample.Message("c"), 3);
        Assert.Equal(
            (0, 2, 3), (counts.Recall(Sample.Message("a")), counts.Recall(Sample.Message("b")), counts.Recall(Sample.Message("c"))));
    }

    [Fact]
    public void The_same_id_at_another_destination_is_another_message()
    {
        var counts = new DeliveryCounts(capacity: 2, maxBytes: 10_000);
        counts.Remember(Sample.Message("a", "/queue/a"), 1);
        Assert.Equal(0, counts.Recall(Sample.Message("a", "/queue/b")));
    }

    [Fact]
    public void Long_destinations_are_forgotten_by_their_bytes()
    {
        var counts = new DeliveryCounts(capacity: 10, maxBytes: 10_000);
        var (first, second) = (Sample.Message("a", "/queue/" + new string('a', 4_000)),
            Sample.Message("b", "/queue/" + new string('b', 4_000)));
        counts.Remember(first, 1);
        counts.Remember(second, 2);
        Assert.Equal((0, 2), (counts.Recall(first), counts.Recall(second)));
    }
}
