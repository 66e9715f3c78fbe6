using PubSubOverWs.PubSubServer;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class RecentValuesTests
{
    [Fact]
    public void The_latest_value_of_a_key_is_remembered()
    {
        var values = new RecentValues<string, int>(capacity: 2);
        Assert.Equal(0, values.Recall("a"));
        values.Remember("a", 1);
        values.Remember("a", 3);
        Assert.Equal((3, 0), (values.Recall("a"), values.Recall("b")));
    }

    [Fact]
    public void Beyond_its_capacity_the_oldest_is_forgotten()
    {
        var values = new RecentValues<string, int>(capacity: 2);
        values.Remember("a", 1);
        values.Remember("b", 2);
        values.Remember("c", 3);
        Assert.Equal((0, 2, 3), (values.Recall("a"), values.Recall("b"), values.Recall("c")));
    }

    [Fact]
    public void Deliveries_are_counted_by_id_and_destination_and_long_destinations_are_forgotten_by_their_bytes()
    {
        var counts = Sample.Server(new FakeTime()).Deliveries;
        counts.Remember(("a", "/queue/a"), 1);
        Assert.Equal((1, 0), (counts.Recall(("a", "/queue/a")), counts.Recall(("a", "/queue/b"))));
        var (first, second) = (("a", "/queue/" + new string('a', 5 << 20)), ("b", "/queue/" + new string('b', 5 << 20)));
        counts.Remember(first, 1);
        counts.Remember(second, 2);
        Assert.Equal((0, 2), (counts.Recall(first), counts.Recall(second)));
    }
}
