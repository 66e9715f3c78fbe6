using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class VisibilityTests
{
    private readonly TestQueue _test = new();

    [Fact]
    public void Messages_come_in_the_order_in_which_they_were_sent()
    {
        _test.Send("a", "b", "c");

        Assert.Equal(["a", "b"], TestQueue.Texts(_test.Receive(max: 2)));
        Assert.Equal(["c"], TestQueue.Texts(_test.Receive()));
    }

    [Fact]
    public void A_received_message_is_hidden_until_its_visibility_runs_out()
    {
        _test.Send("a");
        Assert.Single(_test.Receive());

        _test.Time.Advance(TimeSpan.FromSeconds(29.9));
        Assert.Empty(_test.Receive());

        _test.Time.Advance(TimeSpan.FromSeconds(0.1));
        Assert.Equal(2, Assert.Single(_test.Receive()).ReceiveCount);
    }

    [Fact]
    public void A_receive_may_name_its_own_visibility()
    {
        _test.Send("a");
        _test.Receive(visibility: TimeSpan.FromSeconds(2));

        _test.Time.Advance(TimeSpan.FromSeconds(2));

        Assert.Single(_test.Receive());
    }

    [Fact]
    public void A_message_received_with_visibility_zero_comes_once_in_each_receive()
    {
        _test.Send("a", "b");

        Assert.Equal(["a", "b"], TestQueue.Texts(_test.Receive(visibility: TimeSpan.Zero)));
        Assert.Equal(["a", "b"], TestQueue.Texts(_test.Receive(visibility: TimeSpan.Zero)));
        Assert.Equal(new QueueCounts(2, 0, 0), _test.Queue.Count());
    }

    [Fact]
    public void Visibility_can_be_extended_and_counts_from_then()
    {
        _test.Send("a");
        var handout = _test.Receive()[0];
        _test.Time.Advance(TimeSpan.FromSeconds(20));

        Assert.Null(_test.Queue.ChangeVisibility(_test.Handle(handout), TimeSpan.FromSeconds(30)));

        _test.Time.Advance(TimeSpan.FromSeconds(29));
        Assert.Empty(_test.Receive());
        _test.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Single(_test.Receive());
    }

    [Fact]
    public void A_message_is_hidden_for_no_more_than_twelve_hours_from_its_receive()
    {
        _test.Send("a");
        var handle = _test.Handle(_test.Receive()[0]);
        _test.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(VisibilityRefusal.BeyondLimit, _test.Queue.ChangeVisibility(handle, TimeSpan.FromSeconds(43_200)));
        Assert.Null(_test.Queue.ChangeVisibility(handle, TimeSpan.FromSeconds(43_199)));

        _test.Time.Advance(TimeSpan.FromSeconds(43_198));
        Assert.Equal(VisibilityRefusal.BeyondLimit, _test.Queue.ChangeVisibility(handle, TimeSpan.FromSeconds(2)));
        Assert.Null(_test.Queue.ChangeVisibility(handle, TimeSpan.FromSeconds(1)));
        Assert.Empty(_test.Receive());
        _test.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Single(_test.Receive());
    }

    [Fact]
    public void The_twelve_hours_begin_again_with_the_next_receive()
    {
        _test.Send("a");
        _test.Receive();
        _test.Time.Advance(TimeSpan.FromHours(12));

        var handle = _test.Handle(_test.Receive()[0]);

        Assert.Null(_test.Queue.ChangeVisibility(handle, TimeSpan.FromHours(12)));
    }

    [Fact]
    public void Visibility_zero_shows_a_message_at_once()
    {
        _test.Send("a");
        var handout = _test.Receive()[0];

        Assert.Null(_test.Queue.ChangeVisibility(_test.Handle(handout), TimeSpan.Zero));

        Assert.Single(_test.Receive());
    }

    [Fact]
    public void The_visibility_of_a_message_that_is_not_in_flight_cannot_be_changed()
    {
        _test.Send("a");
        var handle = _test.Handle(_test.Receive()[0]);
        _test.Time.Advance(TimeSpan.FromSeconds(30));

        Assert.Equal(VisibilityRefusal.NotInFlight, _test.Queue.ChangeVisibility(handle, TimeSpan.FromSeconds(5)));
    }

    [Fact]
    public void The_visibility_of_a_deleted_message_cannot_be_changed()
    {
        _test.Send("a");
        var handle = _test.Handle(_test.Receive()[0]);
        _test.Queue.Delete(handle);

        Assert.Equal(VisibilityRefusal.NoMessage, _test.Queue.ChangeVisibility(handle, TimeSpan.FromSeconds(5)));
    }

    [Fact]
    public void A_delayed_message_shows_when_its_delay_has_passed()
    {
        _test.Send(TimeSpan.FromSeconds(5), "a");

        Assert.Empty(_test.Receive());
        Assert.Equal(new QueueCounts(0, 0, 1), _test.Queue.Count());
        _test.Time.Advance(TimeSpan.FromSeconds(5));
        Assert.Single(_test.Receive());
    }
}
