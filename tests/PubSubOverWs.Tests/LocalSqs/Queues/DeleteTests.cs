using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class DeleteTests
{
    private readonly TestQueue _test = new();

    [Fact]
    public void A_deleted_message_never_comes_again()
    {
        _test.Send("a");
        _test.Queue.Delete(_test.Handle(_test.Receive()[0]));

        _test.Time.Advance(TimeSpan.FromMinutes(1));

        Assert.Empty(_test.Receive());
        Assert.Equal(new QueueCounts(0, 0, 0), _test.Queue.Count());
    }

    [Fact]
    public void A_message_visible_again_can_still_be_deleted_by_its_latest_receipt()
    {
        _test.Send("a", "b");
        var first = _test.Receive(max: 1)[0];
        _test.Time.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(new QueueCounts(2, 0, 0), _test.Queue.Count());

        _test.Queue.Delete(_test.Handle(first));

        Assert.Equal(new QueueCounts(1, 0, 0), _test.Queue.Count());
        Assert.Equal(["b"], TestQueue.Texts(_test.Receive()));
    }

    [Fact]
    public void A_stale_receipt_deletes_nothing()
    {
        _test.Send("a");
        var stale = _test.Receive(visibility: TimeSpan.FromSeconds(1))[0];
        _test.Time.Advance(TimeSpan.FromSeconds(1));
        var latest = _test.Receive()[0];

        _test.Queue.Delete(_test.Handle(stale));
        Assert.Equal(new QueueCounts(0, 1, 0), _test.Queue.Count());

        _test.Queue.Delete(_test.Handle(latest));
        Assert.Equal(new QueueCounts(0, 0, 0), _test.Queue.Count());
    }

    [Fact]
    public void Deleting_twice_changes_nothing()
    {
        _test.Send("a", "b");
        var handle = _test.Handle(_test.Receive(max: 1)[0]);

        _test.Queue.Delete(handle);
        _test.Queue.Delete(handle);

        Assert.Equal(new QueueCounts(1, 0, 0), _test.Queue.Count());
    }

    [Fact]
    public void A_purge_forgets_visible_in_flight_and_delayed_messages()
    {
        _test.Send("visible", "in flight");
        var handle = _test.Handle(_test.Receive(max: 1)[0]);
        _test.Send(TimeSpan.FromSeconds(5), "delayed");

        _test.Queue.Purge();

        Assert.Equal(new QueueCounts(0, 0, 0), _test.Queue.Count());
        _test.Queue.Delete(handle);
        _test.Time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(new QueueCounts(0, 0, 0), _test.Queue.Count());
    }

    [Fact]
    public void A_second_purge_within_60_seconds_is_refused()
    {
        _test.Queue.Purge();
        _test.Time.Advance(TimeSpan.FromSeconds(59));

        Assert.Equal(SqsError.PurgeQueueInProgress, Assert.Throws<SqsErrorException>(_test.Queue.Purge).Error);

        _test.Time.Advance(TimeSpan.FromSeconds(1));
        _test.Queue.Purge();
    }
}
