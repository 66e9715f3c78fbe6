using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class RedriveTests
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly TestQueue _test = new();
    private readonly QueueInMemory _dead;

    public RedriveTests()
    {
        _dead = _test.Create("jobs-dead");
        Redrive(_test.Queue, _dead, 2);
    }

    [Fact]
    public void A_dead_letter_keeps_its_count_and_can_be_deleted()
    {
        KillOne();
        var dead = Assert.Single(_test.Receive(from: _dead));
        Assert.Equal(3, dead.ReceiveCount);

        _dead.Delete(new ReceiptHandle(_dead.Id, dead.Number, dead.Receipt));

        Assert.Equal(new QueueCounts(0, 0, 0), _dead.Count());
    }

    [Fact]
    public void Other_messages_are_handed_out_past_a_dead_letter()
    {
        _test.Send("poison");
        for (var i = 0; i < 2; i++)
        {
            _test.Receive(visibility: Second);
            _test.Time.Advance(Second);
        }
        _test.Send("good");

        Assert.Equal(["good"], TestQueue.Texts(_test.Receive()));
    }

    [Fact]
    public void Two_queues_that_are_each_others_dead_letters_do_not_pass_a_message_to_and_fro_without_a_receive()
    {
        Redrive(_dead, _test.Queue, 1);
        KillOne();

        Assert.Single(_test.Receive(from: _dead, visibility: Second));
        _test.Time.Advance(Second);
        Assert.Empty(_test.Receive(from: _dead));

        Assert.Equal(new QueueCounts(1, 0, 0), _test.Queue.Count());
    }

    [Fact]
    public void Without_its_dead_letter_queue_a_message_stays_where_it_is()
    {
        _test.Store.Delete("jobs-dead");

        KillOne();

        Assert.Equal(new QueueCounts(0, 1, 0), _test.Queue.Count());
    }

    [Fact]
    public void A_queue_cannot_be_its_own_dead_letter_queue() =>
        Assert.Equal(
            SqsError.InvalidParameterValue, Assert.Throws<SqsErrorException>(() => Redrive(_test.Queue, _test.Queue, 2)).Error);

    private void KillOne()
    {
        _test.Send("poison");
        for (var i = 0; i < 3; i++)
        {
            _test.Receive(visibility: Second);
            if (i < 2)
                _test.Time.Advance(Second);
        }
    }

    private void Redrive(QueueInMemory queue, QueueInMemory target, int count) => _test.Store.Change(
        queue.Name,
        [new("RedrivePolicy", $$"""{"deadLetterTargetArn":"{{QueueStore.ArnOf(target.Name)}}","maxReceiveCount":"{{count}}"}""")]);
}
