using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class NodePeersTests : IAsyncDisposable
{
    private readonly FakeTime _time = new();
    private readonly Subscriptions _subscriptions = Sample.NoSubscribers(new FakeTime());
    private readonly List<string> _wanted = [];
    private readonly NodePeers _peers;

    public NodePeersTests()
    {
        var sqs = new FakeSqs(_time);
        var queues = FakeSns.Queues("a");
        var node = FakeSns.Node(_time, queues, sqs, subscriptions: _subscriptions);
        var announcer = new Announcer(node, (_, _) => Task.FromResult(true));
        announcer.HeardOwn(_time.GetTimestamp());
        _peers = new NodePeers(node, new PeerTable(_time, TimeSpan.FromSeconds(10)), announcer, _wanted.AddRange);
    }

    public ValueTask DisposeAsync() => _peers.DisposeAsync();

    [Fact]
    public void A_topics_message_goes_through_the_topic() => Assert.Equal("the topic q", Way("/topic/x"));

    [Fact]
    public void A_message_without_a_known_subscriber_goes_to_the_queue_that_all_share() => Assert.Equal("the queue q", Way("/queue/x"));

    [Fact]
    public void A_message_that_another_node_wants_goes_to_its_queue_and_in_turn_if_both_want_it()
    {
        Hear("b", "/queue/x");
        Assert.Equal("the queue q-node-b", Way("/queue/x"));
        Subscribe("/queue/x");
        Assert.Equal(["the queue q-node-a", "the queue q-node-b"], new[] { Way("/queue/x"), Way("/queue/x") }.Order());
    }

    [Fact]
    public void While_a_node_is_not_heard_messages_go_to_the_queue_that_all_share_and_what_it_received_stays()
    {
        Subscribe("/queue/here");
        Hear("b", "/queue/x");
        _time.Advance(new NodeOptions().DeadAfter);
        // An announcement that waited as long as this node stood still.
        Hear("b", "/queue/x");
        Assert.Equal("the queue q", Way("/queue/here"));
        Assert.Equal("the queue q", Way("/queue/x"));
        Assert.Null(_peers.Elsewhere(Received("/queue/x")));
    }

    [Fact]
    public void A_raw_connections_message_goes_to_the_own_queue() => Assert.Equal("the queue q-node-a", Way("/raw/a.1"));

    [Fact]
    public void A_transaction_with_both_goes_to_a_queue_as_a_whole_and_its_topics_go_on_from_there()
    {
        Hear("b", "/queue/x");
        Assert.Equal("the queue q-node-b", Way("/topic/t", "/queue/x"));
        var received = RecordingOwner.LeaseOf(Sample.Message("1", "/topic/t"), Sample.Message("2", "/queue/x"));
        Assert.Equal("the topic q", _peers.Elsewhere(received.Messages[0])?.Target);
    }

    [Fact]
    public void A_message_that_came_through_the_topic_does_not_go_there_again() =>
        Assert.Null(_peers.Elsewhere(RecordingOwner.LeaseOf(Sample.Message("1", "/topic/t"), Sample.Message("2", "/topic/t")).Messages[0]));

    [Fact]
    public void A_received_message_stays_if_it_is_wanted_here_and_goes_to_another_node_that_alone_wants_it()
    {
        Hear("b", "/queue/x", "/queue/y");
        Subscribe("/queue/x");
        Assert.Null(_peers.Elsewhere(Received("/queue/x")));
        Assert.Equal("the queue q-node-b", _peers.Elsewhere(Received("/queue/y"))?.Target);
        Assert.Null(_peers.Elsewhere(Received("/queue/z")));
        Assert.Null(_peers.Elsewhere(Received("/raw/b.1")));
    }

    [Fact]
    public void No_message_goes_to_a_node_whose_queue_is_gone_and_nothing_is_kept_of_it()
    {
        Hear("b", "/queue/x");
        var way = _peers.ChooseSender([Sample.Message("m", "/queue/x")]);
        Assert.Same(way, _peers.ChooseSender([Sample.Message("m", "/queue/x")]));
        Assert.False(way.IsLost(FakeSqs.Away));
        Assert.True(way.IsLost(new QueueException(SqsErrorCode.QueueDoesNotExist, "There is no such queue.", isRetryable: false)));
        Assert.Equal("the queue q", Way("/queue/x"));
        Hear("b", "/queue/x");
        Assert.NotSame(way, _peers.ChooseSender([Sample.Message("m", "/queue/x")]));
    }

    [Fact]
    public void A_message_with_a_subscriber_here_goes_to_the_own_queue_which_is_not_given_up_if_it_is_gone()
    {
        Subscribe("/queue/x");
        var way = _peers.ChooseSender([Sample.Message("m", "/queue/x")]);
        Assert.Equal("the queue q-node-a", way.Target);
        Assert.False(way.IsLost(new QueueException(SqsErrorCode.QueueDoesNotExist, "There is no such queue.", isRetryable: false)));
    }

    [Fact]
    public void A_transaction_with_a_topics_message_may_be_as_large_as_a_topics_message()
    {
        Assert.Equal(256 * 1024, NodePeers.GetMaxBytes([Sample.Message("1", "/queue/x"), Sample.Message("2", "/topic/t")]));
        Assert.Equal(1024 * 1024, NodePeers.GetMaxBytes([Sample.Message("1", "/queue/x")]));
    }

    [Fact]
    public void Nodes_are_counted_with_the_destinations_that_they_want()
    {
        Hear("a", "/queue/own");
        Assert.Equal((1, 0), (_peers.Nodes, _wanted.Count));
        Hear("b", "/queue/x");
        Assert.Equal(2, _peers.Nodes);
        Assert.Equal(["/queue/x"], _wanted);
    }

    private static InboundMessage Received(string destination) => RecordingOwner.LeaseOf(Sample.Message("m", destination)).Messages[0];

    private string Way(params string[] destinations) =>
        _peers.ChooseSender([.. destinations.Select(destination => Sample.Message("m", destination))]).Target;

    private void Subscribe(string destination) => _subscriptions.Add(new RawSubscription(null!, destination));

    private void Hear(string node, params string[] has) =>
        _peers.Hear(new Announcement(node, FakeSqs.UrlOf($"q-node-{node}"), 1, 0, 1, has, [], Leaves: false));
}
