using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class DeduplicationTests
{
    private readonly TestQueue _test = TestQueue.Fifo();

    [Fact]
    public void A_duplicate_is_answered_with_the_first_and_left_out()
    {
        var first = Send("one", "same");

        Assert.Equal(first, Send("one", "same"));
        Assert.NotEqual(first, Send("one", "other"));

        Assert.Equal(new QueueCounts(2, 0, 0), _test.Queue.Count());
    }

    [Fact]
    public void A_duplicate_in_the_same_batch_is_left_out()
    {
        var numbers = _test.Send(Message("one", "same"), Message("one", "same"), Message("one", "other"));

        Assert.Equal(numbers[0], numbers[1]);
        Assert.Equal(new QueueCounts(2, 0, 0), _test.Queue.Count());
    }

    [Fact]
    public void An_id_is_remembered_when_its_message_is_received_deleted_or_purged()
    {
        var first = Send("one", "same");
        _test.Queue.Delete(_test.Handle(_test.Receive()[0]));
        Assert.Equal(first, Send("one", "same"));

        _test.Queue.Purge();

        Assert.Equal(first, Send("one", "same"));
        Assert.Empty(_test.Receive());
    }

    [Fact]
    public void After_five_minutes_an_id_is_new_again()
    {
        var first = Send("one", "same");
        _test.Time.Advance(TimeSpan.FromMinutes(5) - TimeSpan.FromSeconds(1));
        Assert.Equal(first, Send("one", "same"));

        _test.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.NotEqual(first, Send("one", "same"));
    }

    [Fact]
    public void An_id_counts_in_the_whole_queue() => Assert.Equal(Send("one", "same"), Send("two", "same"));

    [Fact]
    public void An_id_counts_in_its_group_when_the_queue_says_so()
    {
        _test.Store.Change("jobs.fifo", [new("DeduplicationScope", "messageGroup")]);
        var first = Send("one", "same");

        Assert.NotEqual(first, Send("two", "same"));
        Assert.Equal(first, Send("one", "same"));
    }

    [Fact]
    public void Only_the_ids_of_the_last_five_minutes_are_held()
    {
        var window = new DeduplicationWindow(_test.Time);
        for (var i = 0; i < 100; i++)
        {
            window.FirstWith(null, $"{i}", (ulong)i, _test.Time.GetTimestamp());
            _test.Time.Advance(TimeSpan.FromMinutes(1));
        }

        window.Forget(_test.Time.GetTimestamp());

        Assert.Equal(4, window.Count);
    }

    private static NewMessage Message(string group, string id) => new(TestQueue.Body("x"), null, new MessageExtras(group, id));

    private ulong Send(string group, string id) => _test.Send(Message(group, id))[0];
}
