using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PubSubOverWs.PubSubServer;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class LeaseTests
{
    [Fact]
    public void A_single_message_is_deleted_once_it_is_settled()
    {
        var lease = RecordingOwner.LeaseOf(Sample.Message("a"));
        var messages = lease.Messages;
        Assert.Equal((1, 4L), lease.Unsettled);
        Assert.Equal(LeaseNext.Delete, lease.Settle(messages[0]));
        Assert.Equal((0, 0L), lease.Unsettled);
        Assert.Equal(LeaseNext.Keep, lease.Settle(messages[0]));
    }

    [Fact]
    public void An_envelope_is_deleted_when_all_its_messages_are_settled()
    {
        var lease = RecordingOwner.LeaseOf(Sample.Message("a"), Sample.Message("b"), Sample.Message("c"));
        var messages = lease.Messages;
        Assert.Equal(LeaseNext.Keep, lease.Settle(messages[1]));
        Assert.Equal(LeaseNext.Keep, lease.Settle(messages[0]));
        Assert.Equal((1, 4L), lease.Unsettled);
        Assert.Equal(LeaseNext.Delete, lease.Settle(messages[2]));
    }

    [Fact]
    public void An_envelope_is_kept_while_all_its_messages_wait()
    {
        var lease = RecordingOwner.LeaseOf(Sample.Message("a"), Sample.Message("b"));
        var messages = lease.Messages;
        Assert.Equal(LeaseNext.Keep, lease.Wait(messages[0]));
        Assert.Equal(LeaseNext.Keep, lease.Wait(messages[1]));
        Assert.Empty(lease.TakeRemainder());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_envelope_is_split_when_some_of_its_messages_are_settled_and_the_others_wait(bool settledLast)
    {
        var lease = RecordingOwner.LeaseOf(Sample.Message("a"), Sample.Message("b"), Sample.Message("c"));
        var messages = lease.Messages;
        var next = LeaseNext.Keep;
        if (!settledLast)
            next = lease.Settle(messages[1]);
        Assert.Equal(LeaseNext.Keep, next);
        Assert.Equal(LeaseNext.Keep, lease.Wait(messages[0]));
        next = lease.Wait(messages[2]);
        if (settledLast)
            next = lease.Settle(messages[1]);
        Assert.Equal(LeaseNext.Split, next);

        Assert.Equal(["a", "c"], lease.TakeRemainder().Select(message => message.Message.Id));
        Assert.Empty(lease.TakeRemainder());
        Assert.False(lease.TryTake(messages[0]));
        Assert.Equal(LeaseNext.Keep, lease.Settle(messages[0]));
        Assert.Equal(LeaseNext.Delete, lease.Settle(messages[2]));
    }

    [Fact]
    public void An_envelope_is_not_split_while_a_message_is_with_a_subscriber()
    {
        var lease = RecordingOwner.LeaseOf(Sample.Message("a"), Sample.Message("b"), Sample.Message("c"));
        var messages = lease.Messages;
        lease.Settle(messages[0]);
        Assert.Equal(LeaseNext.Keep, lease.Wait(messages[1]));
        Assert.Empty(lease.TakeRemainder());
    }

    [Fact]
    public void Only_one_taker_gets_a_waiting_message()
    {
        var lease = RecordingOwner.LeaseOf(Sample.Message("a"));
        var messages = lease.Messages;
        Assert.False(lease.TryTake(messages[0]));
        lease.Wait(messages[0]);
        Assert.True(lease.TryTake(messages[0]));
        Assert.False(lease.TryTake(messages[0]));
    }

    [Fact]
    public void After_its_end_nothing_counts_any_more()
    {
        var lease = RecordingOwner.LeaseOf(Sample.Message("a"));
        var messages = lease.Messages;
        lease.Wait(messages[0]);
        Assert.True(lease.TryEnd(evenWithSubscribers: false));
        Assert.False(lease.TryEnd(evenWithSubscribers: true));
        Assert.False(lease.TryTake(messages[0]));
        Assert.Equal((0, 0L), lease.Unsettled);
    }

    [Fact]
    public void A_lost_lease_lives_on_while_a_message_is_with_a_subscriber()
    {
        var lease = RecordingOwner.LeaseOf(Sample.Message("a"));
        Assert.False(lease.TryEnd(evenWithSubscribers: false));
        Assert.Equal(LeaseNext.Delete, lease.Settle(lease.Messages[0]));
    }

    [Fact]
    public void A_settled_message_takes_no_memory_while_the_rest_are_unsettled()
    {
        var large = new string('x', 10_000);
        var lease = RecordingOwner.LeaseOf(
            [Sample.Message("small", body: "s"), .. Enumerable.Range(0, 9).Select(i => Sample.Message($"{i}", body: large))]);
        var messages = lease.Messages;
        Assert.Equal(lease.SizeAlone + messages.Sum(message => message.Size), lease.Size);
        foreach (var message in messages.Skip(1))
            lease.Settle(message);
        Assert.Equal(messages[0].Memory, lease.Size);
        Assert.Equal([messages[0]], lease.Messages);
        Assert.InRange(lease.Size, 1, 2_000);
    }

    [Fact]
    public void Nothing_of_a_settled_message_stays_alive()
    {
        var (lease, settled) = SettleAllButOne();
        GC.Collect();
        Assert.All(settled, body => Assert.False(body.IsAlive));
        Assert.Single(lease.Messages);
    }

    // Not inlined, or the bodies may live on in its frame.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (Lease Lease, WeakReference[] Settled) SettleAllButOne()
    {
        var lease = RecordingOwner.LeaseOf([.. Enumerable.Range(0, 10).Select(i => Sample.Message($"{i}", body: new string('x', 1_000)))]);
        var settled = lease.Messages.Skip(1).ToArray();
        foreach (var message in settled)
            lease.Settle(message);
        return (lease,
            [.. settled.Select(message =>
                MemoryMarshal.TryGetArray(message.Message.Body, out var array)
                    ? new WeakReference(array.Array)
                    : throw new InvalidOperationException("No array."))]);
    }
}
