using PubSubOverWs.PubSubServer;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class PeerTableTests
{
    private static readonly TimeSpan DeadAfter = TimeSpan.FromSeconds(10);
    private readonly FakeTime _time = new();
    private readonly PeerTable _table;
    private readonly Dictionary<string, long> _numbers = [];

    public PeerTableTests() => _table = new PeerTable(_time, DeadAfter);

    [Fact]
    public void Nodes_with_a_subscriber_take_turns_and_so_does_this_one()
    {
        Whole("b", "/queue/x");
        Whole("c", "/queue/x");
        var turns = Enumerable.Range(0, 6).Select(_ => _table.Next("/queue/x", orHere: true)?.QueueUrl ?? "here").ToArray();
        Assert.Equal(["b", "c", "here"], turns[..3].Order());
        Assert.Equal(turns[..3], turns[3..]);
    }

    [Fact]
    public void A_change_counts_at_once()
    {
        Change("b", has: ["/queue/x"]);
        Assert.Equal("b", _table.Next("/queue/x", orHere: false)?.QueueUrl);
        Change("b", hasNoMore: ["/queue/x"]);
        Assert.Null(_table.Next("/queue/x", orHere: false)?.QueueUrl);
    }

    [Fact]
    public void A_destination_that_a_complete_announcement_does_not_name_is_gone()
    {
        Whole("b", "/queue/x", "/queue/y");
        Whole("b", "/queue/y");
        Assert.Null(_table.Next("/queue/x", orHere: false)?.QueueUrl);
        Assert.Equal("b", _table.Next("/queue/y", orHere: false)?.QueueUrl);
    }

    [Fact]
    public void A_complete_announcement_in_parts_counts_when_all_parts_have_come_in_any_order()
    {
        Whole("b", "/queue/old");
        _table.Hear(Part("b", 9, 1, 2, "/queue/y"));
        _table.Hear(Part("b", 9, 1, 2, "/queue/y"));
        Assert.Equal("b", _table.Next("/queue/old", orHere: false)?.QueueUrl);
        _table.Hear(Part("b", 9, 0, 2, "/queue/x"));
        Assert.Null(_table.Next("/queue/old", orHere: false)?.QueueUrl);
        Assert.Equal("b", _table.Next("/queue/x", orHere: false)?.QueueUrl);
        Assert.Equal("b", _table.Next("/queue/y", orHere: false)?.QueueUrl);
    }

    [Fact]
    public void An_earlier_announcement_that_comes_late_changes_nothing()
    {
        var early = new Announcement("b", "b", 1, 0, 0, ["/queue/x"], ["/queue/y"], Leaves: false);
        _table.Hear(Part("b", 2, 0, 1, "/queue/y"));
        _table.Hear(early);
        Assert.Null(_table.Next("/queue/x", orHere: false)?.QueueUrl);
        Assert.Equal("b", _table.Next("/queue/y", orHere: false)?.QueueUrl);
    }

    [Fact]
    public void A_change_after_a_complete_announcement_outlives_it_though_it_comes_first()
    {
        _table.Hear(new Announcement("b", "b", 3, 0, 0, ["/queue/new"], [], Leaves: false));
        _table.Hear(Part("b", 2, 0, 1, "/queue/y"));
        Assert.Equal("b", _table.Next("/queue/new", orHere: false)?.QueueUrl);
    }

    [Fact]
    public void A_node_that_is_silent_for_too_long_is_passed_over()
    {
        Whole("b", "/queue/x");
        _time.Advance(DeadAfter - TimeSpan.FromSeconds(1));
        Whole("c", "/queue/x");
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(["c"], _table.Alive);
        Assert.Equal(DeadAfter, _table.Silence("b"));
        Assert.Equal("c", _table.Next("/queue/x", orHere: false)?.QueueUrl);
        Assert.Equal("c", _table.Next("/queue/x", orHere: false)?.QueueUrl);
        Whole("b", "/queue/x");
        Assert.Equal(["b", "c"], _table.Alive.Order());
    }

    [Fact]
    public void A_node_that_leaves_is_gone_at_once()
    {
        Whole("b", "/queue/x");
        _table.Hear(new Announcement("b", "b", 2, 0, 1, [], [], Leaves: true));
        Assert.Empty(_table.Alive);
        Assert.Equal(TimeSpan.MaxValue, _table.Silence("b"));
        Assert.Null(_table.Next("/queue/x", orHere: false)?.QueueUrl);
    }

    [Fact]
    public void A_node_is_new_once()
    {
        Assert.True(_table.Hear(Part("b", 1, 0, 1)));
        Assert.False(_table.Hear(Part("b", 2, 0, 1)));
    }

    // The queue of a node has the node's name here.
    private static Announcement Part(string node, long number, int part, int parts, params string[] has) =>
        new(node, node, number, part, parts, has, [], Leaves: false);

    private void Whole(string node, params string[] has) => _table.Hear(Part(node, Next(node), 0, 1, has));

    private void Change(string node, string[]? has = null, string[]? hasNoMore = null) =>
        _table.Hear(new Announcement(node, node, Next(node), 0, 0, has ?? [], hasNoMore ?? [], Leaves: false));

    private long Next(string node) => _numbers[node] = _numbers.GetValueOrDefault(node) + 1;
}
