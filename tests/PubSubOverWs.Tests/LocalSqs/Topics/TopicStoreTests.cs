using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class TopicStoreTests
{
    private readonly TestTopic _test = new();

    [Fact]
    public async Task A_poll_that_waits_is_woken_by_a_publish()
    {
        var poll = _test.Subscribe("a").ReceiveAsync(10, TimeSpan.FromSeconds(20), null, () => false, CancellationToken.None);

        _test.Publish("1");

        Assert.Equal(["1"], TestQueue.Texts(await poll));
    }

    [Fact]
    public void The_delay_of_a_queue_applies_to_published_messages()
    {
        var queue = _test.Subscribe("a", ("DelaySeconds", "5"));
        _test.Publish("1");
        Assert.Empty(_test.Received(queue));

        _test.Queues.Time.Advance(TimeSpan.FromSeconds(5));

        Assert.Equal(["1"], _test.Received(queue));
    }

    [Fact]
    public void A_queue_that_is_created_later_gets_messages_published_from_then_on()
    {
        _test.Store.Subscribe(_test.Topic.Arn, QueueStore.ArnOf("later"));
        _test.Publish("too soon");

        var queue = _test.Subscribe("later");
        _test.Publish("1");

        Assert.Equal(["1"], _test.Received(queue));
    }

    [Fact]
    public void A_queue_that_does_not_let_the_topic_send_gets_nothing_and_the_log_says_so_once()
    {
        var shut = _test.Queues.Create("shut");
        var subscription = _test.Store.Subscribe(_test.Topic.Arn, QueueStore.ArnOf("shut"));
        var open = _test.Subscribe("open");

        _test.Publish("1");
        _test.Publish("2", "3");

        Assert.Empty(_test.Received(shut));
        Assert.Equal(["1", "2", "3"], _test.Received(open));
        Assert.Equal(3, subscription.Undelivered);
        Assert.Contains("Policy does not let the topic send", Assert.Single(_test.Logged), StringComparison.Ordinal);
    }

    [Fact]
    public void The_end_of_a_subscription_says_how_many_were_not_delivered()
    {
        var subscription = _test.Store.Subscribe(_test.Topic.Arn, QueueStore.ArnOf("nowhere"));
        _test.Publish("1", "2");

        _test.Store.Unsubscribe(subscription.Arn);
        _test.Store.Unsubscribe(subscription.Arn);

        Assert.Equal(2, _test.Logged.Count);
        Assert.Contains("2 messages were not delivered", _test.Logged[1], StringComparison.Ordinal);
    }

    [Fact]
    public void A_message_that_is_too_long_for_one_queue_comes_to_the_others()
    {
        var narrow = _test.Subscribe("narrow", ("MaximumMessageSize", "1024"));
        var wide = _test.Subscribe("wide");

        _test.Publish(new string('x', 1025), "short");

        Assert.Equal(["short"], _test.Received(narrow));
        Assert.Equal(2, _test.Received(wide).Length);
    }

    [Fact]
    public void A_publish_for_which_there_is_no_room_in_all_queues_comes_to_none()
    {
        var test = new TestTopic(TestQueue.Within(1000));
        var queues = new[] { test.Subscribe("a"), test.Subscribe("b") };
        test.Publish(new string('x', 250));

        var full = Assert.Throws<SqsErrorException>(() => test.Publish("y"));

        Assert.Equal(SqsError.ServiceUnavailable, full.Error);
        Assert.All(queues, queue => Assert.Single(test.Received(queue)));
        Assert.Equal(0, test.Topic.Subscriptions.Sum(subscription => subscription.Undelivered));
    }

    [Fact]
    public void A_deleted_topic_takes_its_subscriptions_with_it()
    {
        _test.Subscribe("a");
        var subscription = _test.Topic.Subscriptions[0];

        _test.Store.Delete(_test.Topic.Arn);
        _test.Store.Delete(_test.Topic.Arn);

        Assert.Equal(SnsError.NotFound, Refused(() => _test.Publish("1")));
        Assert.Equal(SnsError.NotFound, Refused(() => _test.Store.FindSubscription(subscription.Arn)));
        Assert.Empty(_test.Store.Create("prices").Subscriptions);
    }

    [Fact]
    public void Topics_are_listed_in_the_order_of_their_names()
    {
        _test.Store.Create("a");
        _test.Store.Create("z");

        var first = Assert.Single(_test.Store.List("", 1));

        Assert.EndsWith(":a", first, StringComparison.Ordinal);
        Assert.Equal([":prices", ":z"], _test.Store.List(first, 10).Select(arn => arn[arn.LastIndexOf(':')..]));
    }

    [Theory]
    [InlineData("")]
    [InlineData("é")]
    [InlineData("ordered.fifo")]
    public void Names_that_are_not_taken_are_refused(string name) =>
        Assert.Equal(SnsError.InvalidParameter, Refused(() => _test.Store.Create(name)));

    [Theory]
    [InlineData("prices")]
    [InlineData("arn:aws:sns:us-east-1:prices")]
    [InlineData("urn:aws:sns:us-east-1:000000000000:prices")]
    public void An_invalid_ARN_is_refused(string arn)
    {
        Assert.Equal(SnsError.InvalidParameter, Refused(() => _test.Store.Delete(arn)));
        Assert.Equal(SnsError.InvalidParameter, Refused(() => _test.Store.Unsubscribe(arn)));
    }

    private static SqsError Refused(Action call) => Assert.Throws<SqsErrorException>(call).Error;
}
