using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

/// <summary>Messages are dropped when their retention is over, although nobody receives.</summary>
public sealed class RetentionTests
{
    private static readonly TimeSpan Minute = TimeSpan.FromMinutes(1);
    private static readonly QueueCounts Nothing = new(0, 0, 0);

    private readonly TestQueue _test = new(("MessageRetentionPeriod", "60"));

    [Fact]
    public void A_message_older_than_the_retention_does_not_count_although_nobody_receives()
    {
        _test.Send("old");
        _test.Time.Advance(TimeSpan.FromSeconds(59));
        _test.Send("new");
        _test.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(new QueueCounts(1, 0, 0), _test.Queue.Count());
        Assert.Equal(["new"], TestQueue.Texts(_test.Receive()));
    }

    [Fact]
    public void A_message_in_flight_expires_and_its_handle_is_that_of_a_deleted_message()
    {
        _test.Send("a");
        var handle = _test.Handle(_test.Receive(visibility: TimeSpan.FromHours(1))[0]);
        _test.Time.Advance(Minute);

        Assert.Equal(Nothing, _test.Queue.Count());
        Assert.Equal(VisibilityRefusal.NoMessage, _test.Queue.ChangeVisibility(handle, TimeSpan.Zero));
        _test.Queue.Delete(handle);
        Assert.Equal((Nothing, 0L), (_test.Queue.Count(), _test.Store.HeldBytes));
    }

    [Fact]
    public void A_delayed_message_expires_before_it_is_seen()
    {
        _test.Send(TimeSpan.FromMinutes(15), "a");
        _test.Time.Advance(Minute);

        Assert.Equal((Nothing, 0L), (_test.Queue.Count(), _test.Store.HeldBytes));
    }

    [Fact]
    public void A_message_that_came_back_behind_younger_ones_expires_by_its_own_age()
    {
        _test.Send("old");
        _test.Time.Advance(TimeSpan.FromSeconds(30));
        _test.Send("new");
        _test.Queue.ChangeVisibility(_test.Handle(_test.Receive(max: 1)[0]), TimeSpan.Zero);
        _test.Time.Advance(TimeSpan.FromSeconds(30));

        Assert.Equal(new QueueCounts(1, 0, 0), _test.Queue.Count());
        Assert.Equal(["new"], TestQueue.Texts(_test.Receive()));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    public void A_step_of_the_wall_clock_neither_drops_nor_keeps_a_message(int days)
    {
        _test.Send("a");
        _test.Time.Step(TimeSpan.FromDays(days));

        _test.Time.Advance(TimeSpan.FromSeconds(59));
        Assert.Equal(["a"], TestQueue.Texts(_test.Receive(visibility: TimeSpan.Zero)));

        _test.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(Nothing, _test.Queue.Count());
    }

    [Fact]
    public void A_shorter_retention_applies_to_the_messages_that_are_there_and_a_longer_one_too()
    {
        _test.Send("visible", "hidden");
        _test.Receive(max: 1, visibility: TimeSpan.FromSeconds(90));
        _test.Store.Change("jobs", [new("MessageRetentionPeriod", "120")]);
        _test.Time.Advance(TimeSpan.FromSeconds(89));
        Assert.Equal(new QueueCounts(1, 1, 0), _test.Queue.Count());

        _test.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(new QueueCounts(2, 0, 0), _test.Queue.Count());

        _test.Store.Change("jobs", [new("MessageRetentionPeriod", "60")]);
        Assert.Equal((Nothing, 0L), (_test.Queue.Count(), _test.Store.HeldBytes));
    }

    [Fact]
    public void A_dead_letter_keeps_its_age()
    {
        var dead = _test.Create("dead", ("MessageRetentionPeriod", "60"));
        _test.Store.Change(
            "jobs",
            [new("RedrivePolicy", new Redrive(QueueStore.ArnOf("dead"), 1).ToString()), new("MessageRetentionPeriod", "120")]);
        _test.Send("a");
        _test.Receive(visibility: TimeSpan.Zero);
        _test.Time.Advance(TimeSpan.FromSeconds(59));
        Assert.Empty(_test.Receive());
        Assert.Equal(new QueueCounts(1, 0, 0), dead.Count());

        _test.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal((Nothing, 0L), (dead.Count(), _test.Store.HeldBytes));
    }

    [Fact]
    public async Task A_poll_does_not_get_a_message_that_expires_while_it_is_hidden()
    {
        _test.Send("a");
        _test.Receive(visibility: TimeSpan.FromSeconds(65));
        _test.Time.Advance(TimeSpan.FromSeconds(50));
        var poll = _test.Poll();

        _test.Time.Advance(TimeSpan.FromSeconds(15));
        Assert.False(poll.IsCompleted);
        _test.Send("b");

        Assert.Equal(["b"], TestQueue.Texts(await poll));
    }
}
