using PubSubOverWs.PubSubServer;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class LeaseTests
{
    [Fact]
    public void A_single_message_is_deleted_once_it_is_settled()
    {
        var lease = NoOwner.Lease(Sample.Message("a"));
        Assert.Equal((1, 4L), lease.Unsettled);
        Assert.Equal(LeaseNext.Delete, lease.Settle(lease.Messages[0]));
        Assert.Equal((0, 0L), lease.Unsettled);
        Assert.Equal(LeaseNext.Keep, lease.Settle(lease.Messages[0]));
    }

    [Fact]
    public void An_envelope_is_deleted_when_all_its_messages_are_settled()
    {
        var lease = NoOwner.Lease(Sample.Message("a"), Sample.Message("b"), Sample.Message("c"));
        Assert.Equal(LeaseNext.Keep, lease.Settle(lease.Messages[1]));
        Assert.Equal(LeaseNext.Keep, lease.Settle(lease.Messages[0]));
        Assert.Equal((1, 4L), lease.Unsettled);
        Assert.Equal(LeaseNext.Delete, lease.Settle(lease.Messages[2]));
    }

    [Fact]
    public void It_is_kept_while_all_its_messages_wait()
    {
        var lease = NoOwner.Lease(Sample.Message("a"), Sample.Message("b"));
        Assert.Equal(LeaseNext.Keep, lease.Wait(lease.Messages[0]));
        Assert.Equal(LeaseNext.Keep, lease.Wait(lease.Messages[1]));
        Assert.Empty(lease.TakeRemainder());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void It_is_split_when_some_are_settled_and_the_others_wait(bool settledLast)
    {
        var lease = NoOwner.Lease(Sample.Message("a"), Sample.Message("b"), Sample.Message("c"));
        var next = LeaseNext.Keep;
        if (!settledLast)
            next = lease.Settle(lease.Messages[1]);
        Assert.Equal(LeaseNext.Keep, next);
        Assert.Equal(LeaseNext.Keep, lease.Wait(lease.Messages[0]));
        next = lease.Wait(lease.Messages[2]);
        if (settledLast)
            next = lease.Settle(lease.Messages[1]);
        Assert.Equal(LeaseNext.Split, next);

        Assert.Equal(["a", "c"], lease.TakeRemainder().Select(message => message.Message.Id));
        Assert.Empty(lease.TakeRemainder());
        Assert.False(lease.TryTake(lease.Messages[0]));
        Assert.Equal(LeaseNext.Keep, lease.Settle(lease.Messages[0]));
        Assert.Equal(LeaseNext.Delete, lease.Settle(lease.Messages[2]));
    }

    [Fact]
    public void It_is_not_split_while_a_message_is_with_a_subscriber()
    {
        var lease = NoOwner.Lease(Sample.Message("a"), Sample.Message("b"), Sample.Message("c"));
        lease.Settle(lease.Messages[0]);
        Assert.Equal(LeaseNext.Keep, lease.Wait(lease.Messages[1]));
        Assert.Empty(lease.TakeRemainder());
    }

    [Fact]
    public void Only_one_taker_gets_a_waiting_message()
    {
        var lease = NoOwner.Lease(Sample.Message("a"));
        Assert.False(lease.TryTake(lease.Messages[0]));
        lease.Wait(lease.Messages[0]);
        Assert.True(lease.TryTake(lease.Messages[0]));
        Assert.False(lease.TryTake(lease.Messages[0]));
    }

    [Fact]
    public void After_its_end_nothing_counts_any_more()
    {
        var lease = NoOwner.Lease(Sample.Message("a"));
        lease.Wait(lease.Messages[0]);
        Assert.True(lease.TryEnd(evenWithSubscribers: false));
        Assert.False(lease.TryEnd(evenWithSubscribers: true));
        Assert.False(lease.TryTake(lease.Messages[0]));
        Assert.Equal((0, 0L), lease.Unsettled);
    }

    [Fact]
    public void A_lost_lease_lives_on_while_a_message_is_with_a_subscriber()
    {
        var lease = NoOwner.Lease(Sample.Message("a"));
        Assert.False(lease.TryEnd(evenWithSubscribers: false));
        Assert.Equal(LeaseNext.Delete, lease.Settle(lease.Messages[0]));
    }
}
