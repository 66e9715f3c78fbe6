using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class VisibilityTests
{
    private readonly TestQueue _test = new();

    [Fact]
    public void A_message_received_with_visibility_zero_comes_once_in_each_receive()
    {
        _test.Send("a", "b");

        Assert.Equal(["a", "b"], TestQueue.Texts(_test.Receive(visibility: TimeSpan.Zero)));
        Assert.Equal(["a", "b"], TestQueue.Texts(_test.Receive(visibility: TimeSpan.Zero)));
        Assert.Equal(new QueueCounts(2, 0, 0), _test.Queue.Count());
    }

    [Fact]
    public void A_message_is_hidden_for_no_more_than_twelve_hours_from_its_receive_and_they_begin_again_with_the_next()
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
        Assert.Null(_test.Queue.ChangeVisibility(_test.Handle(_test.Receive()[0]), TimeSpan.FromHours(12)));
    }

    [Fact]
    public void Of_two_messages_visible_again_the_one_that_is_deleted_by_its_latest_receipt_leaves_the_line()
    {
        _test.Send("a", "b");
        var first = _test.Receive(max: 1)[0];
        _test.Time.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(new QueueCounts(2, 0, 0), _test.Queue.Count());

        _test.Queue.Delete(_test.Handle(first));

        Assert.Equal(new QueueCounts(1, 0, 0), _test.Queue.Count());
        Assert.Equal(["b"], TestQueue.Texts(_test.Receive()));
    }
}
