using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class FifoOrderTests
{
    private readonly TestQueue _test = TestQueue.Fifo();

    [Fact]
    public void A_receive_takes_as_many_of_a_group_as_there_are_and_then_of_the_next()
    {
        _test.SendTo("one", "a");
        _test.SendTo("two", "x");
        _test.SendTo("one", "b", "c");

        Assert.Equal(["a", "b", "c", "x"], Receive());
    }

    [Fact]
    public void A_message_in_flight_holds_up_its_group_and_no_other()
    {
        _test.SendTo("one", "a", "b");
        _test.SendTo("two", "x");
        var first = _test.Receive(max: 1)[0];

        Assert.Equal(["x"], Receive());
        Assert.Empty(Receive());
        Assert.Equal(new QueueCounts(1, 2, 0), _test.Queue.Count());

        _test.Queue.Delete(_test.Handle(first));
        Assert.Equal(["b"], Receive());
    }

    [Fact]
    public void A_group_waits_until_everything_that_was_received_of_it_is_settled()
    {
        _test.SendTo("one", "a", "b", "c");
        var received = _test.Receive(max: 2);

        _test.Queue.Delete(_test.Handle(received[0]));
        Assert.Empty(Receive());

        _test.Queue.Delete(_test.Handle(received[1]));
        Assert.Equal(["c"], Receive());
    }

    [Fact]
    public void A_message_that_was_not_deleted_in_time_comes_again_in_its_place()
    {
        _test.SendTo("one", "a", "b", "c");
        _test.Receive(max: 2);

        _test.Time.Advance(TimeSpan.FromSeconds(30));

        Assert.Equal(["a", "b", "c"], Receive());
    }

    [Fact]
    public void A_released_message_comes_again_in_its_place()
    {
        _test.SendTo("one", "a", "b", "c");
        var received = _test.Receive(max: 2);

        Release(received[1]);
        Assert.Empty(Receive());

        Release(received[0]);
        Assert.Equal(["a", "b", "c"], Receive());
    }

    /// <summary>AWS does the same (recorded by LocalStack's tests, which AWS has validated).</summary>
    [Fact]
    public void A_released_message_does_not_wait_for_later_messages_that_were_received_with_it()
    {
        _test.SendTo("one", "a", "b");
        var received = _test.Receive(max: 2);
        _test.SendTo("one", "c");

        Release(received[0]);

        Assert.Equal(["a"], Receive());
    }

    [Fact]
    public void Extending_a_visibility_keeps_the_group_waiting()
    {
        _test.SendTo("one", "a", "b");
        var first = _test.Receive(max: 1)[0];
        _test.Time.Advance(TimeSpan.FromSeconds(20));

        Assert.Null(_test.Queue.ChangeVisibility(_test.Handle(first), TimeSpan.FromSeconds(30)));

        _test.Time.Advance(TimeSpan.FromSeconds(29));
        Assert.Empty(Receive());
        _test.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(["a", "b"], Receive());
    }

    [Fact]
    public void Messages_received_with_visibility_zero_come_once_in_each_receive_and_in_order()
    {
        _test.SendTo("one", "a", "b");
        _test.SendTo("two", "x");

        Assert.Equal(["a", "b", "x"], TestQueue.Texts(_test.Receive(visibility: TimeSpan.Zero)));
        Assert.Equal(["a", "b", "x"], TestQueue.Texts(_test.Receive(visibility: TimeSpan.Zero)));
        Assert.Equal(new QueueCounts(3, 0, 0), _test.Queue.Count());
    }

    [Fact]
    public void Messages_given_back_come_again_in_their_place()
    {
        _test.SendTo("one", "a", "b", "c");

        _test.Queue.GiveBack(_test.Receive(max: 2));

        var again = _test.Receive();
        Assert.Equal(["a", "b", "c"], TestQueue.Texts(again));
        Assert.All(again, handout => Assert.Equal(1, handout.ReceiveCount));
    }

    [Fact]
    public void A_message_older_than_the_retention_does_not_hold_up_its_group()
    {
        _test.Queue.Change(_test.Queue.Settings.With("MessageRetentionPeriod", "60"));
        _test.SendTo("one", "old");
        _test.Time.Advance(TimeSpan.FromSeconds(30));
        _test.SendTo("one", "new");
        _test.Time.Advance(TimeSpan.FromSeconds(30));

        Assert.Equal(["new"], Receive());
    }

    [Fact]
    public void A_purge_releases_a_group_that_was_held_up()
    {
        _test.SendTo("one", "a", "b");
        _test.Receive(max: 1);

        _test.Queue.Purge();
        _test.SendTo("one", "c");

        Assert.Equal(["c"], Receive());
    }

    [Fact]
    public async Task A_poll_waits_for_a_group_that_is_held_up_and_a_delete_wakes_it()
    {
        _test.SendTo("one", "a", "b");
        var first = _test.Receive(max: 1)[0];
        var poll = _test.Poll();
        Assert.False(poll.IsCompleted);

        _test.Queue.Delete(_test.Handle(first));

        Assert.Equal(["b"], TestQueue.Texts(await poll));
    }

    [Fact]
    public async Task A_poll_that_waits_for_a_group_is_woken_when_a_visibility_runs_out()
    {
        _test.SendTo("one", "a", "b");
        _test.Receive(max: 1, visibility: TimeSpan.FromSeconds(7));
        var poll = _test.Poll();

        _test.Time.Advance(TimeSpan.FromSeconds(7));

        Assert.Equal(["a", "b"], TestQueue.Texts(await poll));
    }

    private string[] Receive() => TestQueue.Texts(_test.Receive());

    private void Release(Handout handout) => Assert.Null(_test.Queue.ChangeVisibility(_test.Handle(handout), TimeSpan.Zero));
}
