namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>
/// Two nodes, and what becomes of the second's queue and of its topic subscribers while something is wrong with it. The first is well.
/// </summary>
public sealed class NodeFaultTests : IAsyncLifetime
{
    private const string FirstReads = "aaaaaa reads q-node-bbbbbb";
    private const string FirstUnsubscribes = "aaaaaa unsubscribes subscription-2";
    private const string SecondTells = "bbbbbb tells its subscribers";
    private const string SecondQueue = "arn:q-node-bbbbbb";

    private readonly FakeTime _time = new();
    private readonly FakeSqs _sqs;
    private readonly FakeSns _sns;
    private readonly List<string> _events = [];
    private FakeNode _first = null!;
    private FakeNode _second = null!;

    public NodeFaultTests()
    {
        _sqs = new FakeSqs(_time).With("q", "q-dead");
        _sns = new FakeSns(_sqs);
    }

    public async Task InitializeAsync()
    {
        _first = await FakeNode.StartAsync("aaaaaa", _time, _sqs, _sns, _events);
        _second = await FakeNode.StartAsync("bbbbbb", _time, _sqs, _sns, _events);
        await PassAsync(TimeSpan.FromSeconds(80));
        Assert.Equal(["bbbbbb"], _first.Table.Alive);
        Assert.Empty(_events);
    }

    public async Task DisposeAsync()
    {
        await _second.DisposeAsync();
        await _first.DisposeAsync();
    }

    [Theory]
    [InlineData(nameof(Cut.Requests))]
    [InlineData(nameof(Cut.Answers))]
    public async Task A_node_that_is_cut_from_SNS_stays_subscribed_and_alive_and_says_that_it_is_not_ready(string cut)
    {
        _second.Sns.Cut = Enum.Parse<Cut>(cut);
        await PassAsync(TimeSpan.FromMinutes(30));
        Assert.Empty(_events);
        Assert.Equal(["bbbbbb"], _first.Table.Alive);
        Assert.Contains(SecondQueue, _sns.Subscribed);
        Assert.StartsWith("SNS does not answer", _second.Feed.Trouble, StringComparison.Ordinal);
        _second.Sns.Cut = Cut.None;
        await PassAsync(TimeSpan.FromSeconds(2));
        Assert.Null(_second.Feed.Trouble);
        Assert.Empty(_events);
    }

    [Fact]
    public async Task A_node_that_pauses_for_longer_than_the_others_wait_gets_its_queue_back_and_no_message_is_missed()
    {
        _second.IsPaused = true;
        await PassAsync(TimeSpan.FromSeconds(40));
        Assert.Equal([FirstReads], _events);
        Assert.Contains(SecondQueue, _sns.Subscribed);
        _second.IsPaused = false;
        await PassAsync(TimeSpan.FromSeconds(6));
        Assert.Empty(_first.Adoption.Flows);
        Assert.Equal([FirstReads], _events);
        Assert.Null(_second.Feed.Trouble);
    }

    [Fact]
    public async Task A_node_that_pauses_until_it_is_surely_dead_tells_its_subscribers_at_once_and_subscribes_before_it_is_ready()
    {
        _second.IsPaused = true;
        await PassAsync(TimeSpan.FromSeconds(64));
        Assert.Equal([FirstReads, FirstUnsubscribes], _events);
        Assert.DoesNotContain(SecondQueue, _sns.Subscribed);
        _second.IsPaused = false;
        // SNS cannot be reached at first: who comes to this server meanwhile is told, too.
        _second.Sns.Cut = Cut.Requests;
        await PassAsync(TimeSpan.FromSeconds(2));
        Assert.Equal([FirstReads, FirstUnsubscribes, SecondTells], _events);
        Assert.StartsWith(
            "The queue q-node-bbbbbb of this server was, or may have been, taken", _second.Feed.Trouble, StringComparison.Ordinal);
        await PassAsync(TimeSpan.FromSeconds(2));
        Assert.Equal(2, _events.Count(each => each == SecondTells));
        _second.Sns.Cut = Cut.None;
        await PassAsync(TimeSpan.FromSeconds(2));
        Assert.Contains(SecondQueue, _sns.Subscribed);
        Assert.Null(_second.Feed.Trouble);
        // Once more after it subscribed: those who came before that were not fed.
        Assert.Equal(4, _events.Count(each => each == SecondTells));
    }

    [Theory]
    [InlineData(nameof(Cut.Requests))]
    [InlineData(nameof(Cut.Answers))]
    public async Task A_node_that_is_cut_from_SQS_for_a_while_has_its_queue_read_by_others_and_stays_subscribed(string cut)
    {
        _second.Sqs.Cut = Enum.Parse<Cut>(cut);
        await PassAsync(TimeSpan.FromSeconds(30));
        Assert.Equal([FirstReads], _events);
        Assert.Contains(SecondQueue, _sns.Subscribed);
        _second.Sqs.Cut = Cut.None;
        // An answer that was lost had announcements in it, which come again when they are visible.
        await PassAsync(TimeSpan.FromSeconds(34));
        Assert.Empty(_first.Adoption.Flows);
        Assert.Equal([FirstReads], _events);
        Assert.Null(_second.Feed.Trouble);
    }

    [Theory]
    [InlineData(nameof(Cut.Requests))]
    [InlineData(nameof(Cut.Answers))]
    public async Task A_node_that_is_cut_from_SQS_for_long_tells_its_subscribers_before_the_others_take_its_queue_from_the_topic(string cut)
    {
        _second.Sqs.Cut = Enum.Parse<Cut>(cut);
        await PassUntilAsync(() => _events.Contains(FirstUnsubscribes));
        Assert.Equal(FirstReads, _events[0]);
        Assert.Equal(SecondTells, _events[1]);
        Assert.NotNull(_second.Feed.Trouble);
        _second.Sqs.Cut = Cut.None;
        await PassUntilAsync(() => _second.Feed.Trouble is null);
        Assert.Contains(SecondQueue, _sns.Subscribed);
        Assert.Equal(SecondTells, _events[^1]);
    }

    [Fact]
    public async Task A_node_that_was_unsubscribed_from_outside_tells_its_subscribers_and_subscribes_again()
    {
        await _sns.UnsubscribeAsync("subscription-2", CancellationToken.None);
        await PassAsync(FakeNode.Options.DeadAfter);
        Assert.Equal([SecondTells, SecondTells], _events);
        Assert.Contains(SecondQueue, _sns.Subscribed);
        Assert.Null(_second.Feed.Trouble);
    }

    [Fact]
    public async Task Another_subscription_of_the_same_queue_shows_that_something_was_missed_in_between()
    {
        await _sns.UnsubscribeAsync("subscription-2", CancellationToken.None);
        await _sns.SubscribeQueueAsync(FakeSns.TopicArn, SecondQueue, CancellationToken.None);
        await PassAsync(FakeNode.Options.DeadAfter);
        Assert.Equal([SecondTells, SecondTells], _events);
        await PassAsync(TimeSpan.FromMinutes(2));
        Assert.Equal(2, _events.Count);
    }

    private async Task PassAsync(TimeSpan time)
    {
        for (var passed = TimeSpan.Zero; passed < time; passed += FakeNode.Options.AnnounceEvery)
        {
            _time.Advance(FakeNode.Options.AnnounceEvery);
            await _first.RoundAsync();
            await _second.RoundAsync();
        }
    }

    private async Task PassUntilAsync(Func<bool> condition)
    {
        for (var round = 0; !condition(); round++)
        {
            Assert.True(round < 200, string.Join("; ", _events));
            await PassAsync(FakeNode.Options.AnnounceEvery);
        }
    }
}
