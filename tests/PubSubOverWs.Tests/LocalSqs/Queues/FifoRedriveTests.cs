using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class FifoRedriveTests
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly TestQueue _test = TestQueue.Fifo();
    private readonly QueueInMemory _dead;

    public FifoRedriveTests()
    {
        _dead = _test.Create("dead.fifo", ("FifoQueue", "true"));
        Redrive("jobs.fifo", _dead);
    }

    [Fact]
    public void A_dead_letter_keeps_its_group_and_no_longer_holds_it_up()
    {
        _test.SendTo("one", "poison", "good");
        Assert.Single(_test.Receive(max: 1, visibility: Second));
        _test.Time.Advance(Second);

        Assert.Equal(["good"], TestQueue.Texts(_test.Receive()));

        var dead = Assert.Single(_test.Receive(from: _dead));
        Assert.Equal(["poison"], TestQueue.Texts([dead]));
        Assert.Equal("one", dead.Extras?.GroupId);
    }

    [Fact]
    public async Task A_poll_waits_on_when_all_there_was_became_dead_letters()
    {
        _test.SendTo("one", "a", "b");
        _test.Receive(visibility: Second);
        var poll = _test.Poll();

        _test.Time.Advance(Second);

        Assert.False(poll.IsCompleted);
        Assert.Equal(new QueueCounts(0, 0, 0), _test.Queue.Count());
        Assert.Equal(["a", "b"], TestQueue.Texts(_test.Receive(from: _dead)));
        _test.SendTo("one", "c");
        Assert.Equal(["c"], TestQueue.Texts(await poll));
    }

    [Fact]
    public void Dead_letters_of_a_group_stand_in_its_order_whatever_the_dead_letter_queue_had()
    {
        _test.SendTo("one", "first");
        _dead.Send([new NewMessage(TestQueue.Body("later"), null, new MessageExtras("one", "later"))], new ulong[1]);
        _test.Receive(visibility: Second);
        _test.Time.Advance(Second);
        Assert.Empty(_test.Receive());

        Assert.Equal(["first", "later"], TestQueue.Texts(_test.Receive(from: _dead)));
    }

    [Fact]
    public void Dead_letters_go_to_a_queue_of_the_same_type()
    {
        var standard = _test.Create("standard");

        Assert.Equal(SqsError.InvalidParameterValue, Assert.Throws<SqsErrorException>(() => Redrive("jobs.fifo", standard)).Error);
        Assert.Equal(SqsError.InvalidParameterValue, Assert.Throws<SqsErrorException>(() => Redrive("standard", _dead)).Error);
    }

    private void Redrive(string queue, QueueInMemory target) => _test.Store.Change(
        queue, [new("RedrivePolicy", $$"""{"deadLetterTargetArn":"{{QueueStore.ArnOf(target.Name)}}","maxReceiveCount":1}""")]);
}
