using PubSubOverWs.PubSubServer;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class DeliveryCountsTests
{
    [Fact]
    public void The_latest_count_of_a_message_is_remembered()
    {
        var counts = new DeliveryCounts(capacity: 2);
        Assert.Equal(0, counts.Recall("a"));
        counts.Remember("a", 1);
        counts.Remember("a", 3);
        Assert.Equal((3, 0), (counts.Recall("a"), counts.Recall("b")));
    }

    [Fact]
    public void Beyond_its_capacity_the_oldest_is_forgotten()
    {
        var counts = new DeliveryCounts(capacity: 2);
        counts.Remember("a", 1);
        counts.Remember("b", 2);
        counts.Remember("c", 3);
        Assert.Equal((0, 2, 3), (counts.Recall("a"), counts.Recall("b"), counts.Recall("c")));
    }
}
