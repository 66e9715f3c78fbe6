using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class AdoptionTests : IAsyncLifetime
{
    private static readonly NodeOptions Options = FakeNode.Options;

    private readonly FakeTime _time = new();
    private readonly FakeSqs _sqs;
    private readonly FakeSns _sns;
    private readonly PeerTable _table;
    private readonly Adoption _adoption;
    private readonly CancellationTokenSource _stopping = new();
    private readonly TaskCompletionSource _quiet = new();
    private readonly List<string> _read = [];
    private readonly List<string> _known = [];
    private Func<bool> _isSurelyDead = () => false;
    private TimeSpan _hearsFor = TimeSpan.FromDays(1);

    public AdoptionTests()
    {
        _sqs = new FakeSqs(_time).With(
            "q", "q-dead", "q-node-bbbbbb", "q-node-bbbbbb-control", "q-node-cccccc", "q-node-cccccc-control", "q-nodes");
        _sns = new FakeSns(_sqs);
        _table = new PeerTable(_time, Options.DeadAfter);
        _adoption = new Adoption(
            FakeSns.Node(_time, FakeSns.Queues("bbbbbb"), _sqs, _sns, Options), _table, () => _hearsFor, _known.AddRange, Read);
    }

    public async Task InitializeAsync() =>
        await _sns.SubscribeQueueAsync(FakeSns.TopicArn, "arn:q-node-cccccc", CancellationToken.None);

    public async Task DisposeAsync()
    {
        await _stopping.CancelAsync();
        _quiet.TrySetResult();
        await EndPollsUntil(_adoption.RunAsync(_quiet.Task, _stopping.Token));
        _stopping.Dispose();
    }

    [Fact]
    public async Task A_node_that_was_never_heard_has_as_long_to_announce_itself_as_another_may_be_silent()
    {
        await PassAsync(TimeSpan.FromSeconds(10));
        Assert.Empty(_read);
        Assert.Equal([FakeSqs.UrlOf("q-node-cccccc")], _known.Distinct());
        await PassAsync(TimeSpan.FromSeconds(2));
        Assert.Equal(["q-node-cccccc"], _read);
        Assert.False(_isSurelyDead());
    }

    [Fact]
    public async Task While_a_dead_node_cannot_be_unsubscribed_nothing_that_the_topic_sends_it_is_dropped()
    {
        _sns.Fault = FakeSqs.Away;
        await PassAsync(TimeSpan.FromSeconds(200));
        Assert.Equal(["q-node-cccccc"], _read);
        Assert.False(_isSurelyDead());
        _sns.Fault = null;
        await PassAsync(TimeSpan.FromSeconds(2));
        Assert.Empty(_sns.Subscribed);
        Assert.True(_isSurelyDead());
    }

    [Fact]
    public async Task While_the_topic_does_not_answer_the_queues_of_nodes_that_die_then_are_read()
    {
        _sns.Gate = new TaskCompletionSource();
        _sqs.With("q-node-dddddd");
        for (var i = 0; i < 30; i++)
        {
            Hear("dddddd");
            await PassAsync(TimeSpan.FromSeconds(2));
        }
        Assert.Equal(["q-node-cccccc"], _read);

        // The one is surely dead now, and the topic is asked to unsubscribe it, for 10 s at a time.
        for (var again = 0; again < 2; again++)
        {
            _time.Advance(Options.AnnounceEvery);
            var look = _adoption.LookAsync(_quiet.Task, _stopping.Token);
            await Waiting.UntilAsync(() => _sns.Waits != again);
            Assert.False(look.IsCompleted);
            _time.Advance(Options.DeadAfter);
            await EndPollsUntil(look);
        }
        Assert.Equal(["q-node-cccccc", "q-node-dddddd"], _read);
        _sns.Gate.SetResult();
        await PassAsync(TimeSpan.FromSeconds(2));
        Assert.Empty(_sns.Subscribed);
    }

    [Fact]
    public async Task The_queue_of_a_node_that_left_is_read_at_once_and_its_topic_messages_have_no_recipient()
    {
        Hear("cccccc", leaves: true);
        await PassAsync(TimeSpan.FromSeconds(2));
        Assert.Equal(["q-node-cccccc"], _read);
        Assert.True(_isSurelyDead());
    }

    [Fact]
    public async Task The_first_by_name_of_two_nodes_that_live_adopts()
    {
        for (var i = 0; i < 20; i++)
        {
            Hear("aaaaaa");
            await PassAsync(TimeSpan.FromSeconds(2));
        }
        Assert.Empty(_read);
        await PassAsync(TimeSpan.FromSeconds(10));
        Assert.Equal(["q-node-cccccc"], _read);
    }

    [Fact]
    public async Task A_dead_nodes_queues_are_deleted_when_they_stayed_empty_and_only_those()
    {
        await PassAsync(TimeSpan.FromSeconds(12));
        await PassAsync(TimeSpan.FromSeconds(50));
        Assert.Contains("q-node-cccccc", await NamesAsync());
        await PassAsync(TimeSpan.FromSeconds(80));
        Assert.Equal(["q-node-bbbbbb", "q-node-bbbbbb-control", "q-nodes"], (await NamesAsync()).Order());
        Assert.Empty(_adoption.Flows);
    }

    [Fact]
    public async Task A_dead_nodes_queue_stays_and_is_read_for_as_long_again_once_it_could_not_hear_itself_any_more()
    {
        await PassAsync(TimeSpan.FromSeconds(76));
        Assert.Equal(["q-node-bbbbbb", "q-node-bbbbbb-control", "q-node-cccccc", "q-nodes"], (await NamesAsync()).Order());
        Assert.Single(_adoption.Flows);
        // It was on its way while the node, or the server that sent it, stood still.
        await _sqs.PutAsync("q-node-cccccc", Sample.Envelope(Sample.Message("m")));
        await PassAsync(TimeSpan.FromSeconds(200));
        Assert.Contains("q-node-cccccc", await NamesAsync());
    }

    [Fact]
    public async Task Nothing_of_a_node_that_was_surely_dead_is_dropped_while_this_one_does_not_hear_itself_or_once_that_is_heard_again()
    {
        await PassAsync(TimeSpan.FromSeconds(64));
        _hearsFor = TimeSpan.Zero;
        Assert.False(_isSurelyDead());
        _hearsFor = TimeSpan.FromSeconds(1);
        Assert.True(_isSurelyDead());
        // Its queue is given back to it with the next look.
        Hear("cccccc");
        Assert.False(_isSurelyDead());
    }

    [Fact]
    public async Task A_queue_that_a_list_left_out_for_once_is_adopted_again()
    {
        await PassAsync(TimeSpan.FromSeconds(12));
        _sqs.LeftOutOfLists = FakeSqs.UrlOf("q-node-cccccc");
        await PassAsync(TimeSpan.FromSeconds(2));
        Assert.Empty(_adoption.Flows);
        _sqs.LeftOutOfLists = null;
        await PassAsync(Options.DeleteAfter + Options.DeadAfter);
        Assert.Single(_adoption.Flows);
    }

    [Fact]
    public async Task A_dead_nodes_queues_are_deleted_even_if_the_last_poll_ends_after_the_SNS_time_out()
    {
        await PassAsync(TimeSpan.FromSeconds(130));
        _time.Advance(2 * Options.AnnounceEvery);
        var look = _adoption.LookAsync(_quiet.Task, _stopping.Token);
        Assert.False(look.IsCompleted);
        _time.Advance(Options.DeadAfter);
        await EndPollsUntil(look);
        Assert.DoesNotContain("q-node-cccccc", await NamesAsync());
    }

    [Fact]
    public async Task A_node_that_hears_no_announcements_declares_no_other_node_dead()
    {
        _hearsFor = TimeSpan.Zero;
        await PassAsync(TimeSpan.FromSeconds(200));
        Assert.Empty(_read);
        Assert.Single(_sns.Subscribed);
        _hearsFor = TimeSpan.FromSeconds(9);
        await PassAsync(TimeSpan.FromSeconds(2));
        Assert.Empty(_read);
        _hearsFor = TimeSpan.FromSeconds(10);
        await PassAsync(TimeSpan.FromSeconds(2));
        Assert.Equal(["q-node-cccccc"], _read);
        Assert.False(_isSurelyDead());
    }

    [Fact]
    public async Task A_queue_that_another_deleted_meanwhile_is_let_go()
    {
        await PassAsync(TimeSpan.FromSeconds(12));
        Assert.Single(_adoption.Flows);
        await _sqs.DeleteQueueAsync(FakeSqs.UrlOf("q-node-cccccc"), CancellationToken.None);
        await PassAsync(TimeSpan.FromSeconds(2));
        Assert.Empty(_adoption.Flows);
        await PassAsync(TimeSpan.FromSeconds(20));
        Assert.Equal(["q-node-cccccc"], _read);
    }

    [Fact]
    public async Task A_node_that_is_no_longer_the_first_leaves_a_dead_nodes_queue_to_the_first()
    {
        await PassAsync(TimeSpan.FromSeconds(12));
        Hear("aaaaaa");
        await PassAsync(TimeSpan.FromSeconds(2));
        Assert.Empty(_adoption.Flows);
    }

    private QueueFlow Read(QueueUrls urls, Func<bool> isSurelyDead)
    {
        _read.Add(urls.Name);
        _isSurelyDead = isSurelyDead;
        var options = new QueueBrokerOptions { PollLoops = 1, Settle = { Linger = TimeSpan.Zero } };
        return new QueueFlow(
            Sample.Server(_time, options, sqs: _sqs), urls, _ => DeliverOutcome.NoSubscriber);
    }

    private void Hear(string node, bool leaves = false) =>
        _table.Hear(new Announcement(node, FakeSqs.UrlOf($"q-node-{node}"), _time.GetTimestamp(), 0, 1, [], [], leaves));

    private async Task<IEnumerable<string>> NamesAsync() =>
        (await _sqs.ListQueuesAsync("q-node", CancellationToken.None)).Select(NodeQueues.GetName);

    private async Task PassAsync(TimeSpan time)
    {
        for (var passed = TimeSpan.Zero; passed < time; passed += Options.AnnounceEvery)
        {
            _time.Advance(Options.AnnounceEvery);
            await EndPollsUntil(_adoption.LookAsync(_quiet.Task, _stopping.Token));
        }
    }

    // A flow that ends waits for its poll.
    private Task EndPollsUntil(Task ended) => ended.WhileAsync(() => _sqs.EndPolls());
}
