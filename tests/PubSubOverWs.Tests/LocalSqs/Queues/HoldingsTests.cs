using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

/// <summary>The bytes that LocalSqs counts as held, and its behaviour at the limit.</summary>
public sealed class HoldingsTests
{
    /// <summary>A message of one letter, as it is counted: its literal has two quotes.</summary>
    private const int Letter = 203;

    [Fact]
    public void A_message_counts_with_its_body_as_kept_its_attributes_and_200_bytes()
    {
        var test = new TestQueue();
        var attributes = new MessageAttributes([new AttributeEntry("name", "String", "value"u8.ToArray())]);
        test.Send(new NewMessage(TestQueue.Body("a"), null, new MessageExtras(null, attributes)));

        Assert.Equal(Letter + "nameStringvalue".Length, test.Store.HeldBytes);
    }

    [Fact]
    public void A_send_for_which_there_is_no_room_is_refused_whole_and_nothing_of_it_is_taken()
    {
        var test = TestQueue.Within(3 * Letter);
        test.Send("a", "b");

        Assert.Equal(SqsError.ServiceUnavailable, Refused(() => test.Send("c", "d")));

        Assert.Equal((2, 2L * Letter), (test.Queue.Count().Visible, test.Store.HeldBytes));
        test.Send("c");
        Assert.Equal(SqsError.ServiceUnavailable, Refused(() => test.Send("d")));
        Assert.Equal(["a", "b", "c"], TestQueue.Texts(test.Receive()));
    }

    [Fact]
    public void All_queues_share_the_room()
    {
        var test = TestQueue.Within(2 * Letter);
        test.Create("others").Send([new NewMessage(TestQueue.Body("a"))]);
        test.Send("b");

        Assert.Equal(SqsError.ServiceUnavailable, Refused(() => test.Send("c")));
    }

    [Fact]
    public void Sends_are_taken_again_when_something_was_deleted_but_not_when_it_was_only_received()
    {
        var test = TestQueue.Within(2 * Letter);
        test.Send("a", "b");
        var received = test.Receive(max: 1);
        Assert.Equal(SqsError.ServiceUnavailable, Refused(() => test.Send("c")));

        test.Queue.Delete(test.Handle(received[0]));
        test.Send("c");

        Assert.Equal(["b", "c"], TestQueue.Texts(test.Receive()));
    }

    [Fact]
    public void A_message_deleted_after_it_became_visible_again_makes_room_once()
    {
        var test = TestQueue.Within(2 * Letter);
        test.Send("a");
        var received = test.Receive(visibility: TimeSpan.FromSeconds(5));
        test.Time.Advance(TimeSpan.FromSeconds(6));
        test.Queue.Delete(test.Handle(received[0]));
        test.Queue.Delete(test.Handle(received[0]));

        Assert.Equal(0, test.Store.HeldBytes);
    }

    [Fact]
    public void A_purged_and_a_deleted_queue_hold_nothing()
    {
        var test = new TestQueue();
        test.Send("a", "b");
        test.Receive(max: 1);
        test.Queue.Purge();
        Assert.Equal(0, test.Store.HeldBytes);

        test.Send("c");
        test.Store.Delete("jobs");

        Assert.Equal(0, test.Store.HeldBytes);
    }

    [Fact]
    public void A_message_older_than_the_retention_makes_room_for_other_queues_although_nobody_reads_its_own()
    {
        var test = TestQueue.Within(Letter, ("MessageRetentionPeriod", "60"));
        test.Send("a");
        test.Time.Advance(TimeSpan.FromSeconds(60));

        Assert.Equal(0, test.Store.HeldBytes);
        test.Create("others").Send([new NewMessage(TestQueue.Body("b"))]);
    }

    [Fact]
    public void A_dead_letter_is_counted_once_and_finds_room_where_it_is_full()
    {
        var test = TestQueue.Within(Letter);
        test.Create("dead");
        test.Store.Change("jobs", [new("RedrivePolicy", new Redrive(QueueStore.ArnOf("dead"), MaxReceiveCount: 1).ToString())]);
        test.Send("a");
        test.Receive(visibility: TimeSpan.Zero);
        Assert.Empty(test.Receive());

        Assert.Equal(Letter, test.Store.HeldBytes);
        Assert.Equal(["a"], TestQueue.Texts(test.Receive(from: test.Store.Get("dead"))));
    }

    [Fact]
    public void A_refusal_says_how_much_is_held_and_gives_advice()
    {
        var test = TestQueue.Within(2000);
        test.Send("a", "b", "c", "d", "e", "f", "g", "h", "i");

        Assert.Equal(
            "LocalSqs holds 1,827 bytes of messages, 203 more would be above its LocalSqs:MaxBytes of 2,000: receive and delete some, or "
                + "raise it.",
            Assert.Throws<SqsErrorException>(() => test.Send("j")).Message);
    }

    [Fact]
    public void Zero_means_no_limit()
    {
        var test = TestQueue.Within(0);
        test.Send("a", "b");

        Assert.Equal(2, test.Queue.Count().Visible);
    }

    private static SqsError Refused(Action action) => Assert.Throws<SqsErrorException>(action).Error;
}
