using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class LeasesTests
{
    private readonly FakeTime _time = new();

    [Fact]
    public void Leases_received_at_one_moment_are_renewed_evenly_and_all_by_six_tenths_of_the_visibility()
    {
        const int Count = 20_000;
        var leases = new Leases(_time, TimeSpan.FromSeconds(30), maxInFlight: 100_000);
        leases.Add([.. Enumerable.Range(0, Count).Select(i => RecordingOwner.LeaseOf(Sample.Message($"{i}")))]);
        var (renewed, largest, ticks) = (0, 0, 0);
        for (; renewed < Count; ticks++)
        {
            _time.Advance(leases.RenewalTick);
            var due = leases.TakeDue();
            leases.Renewed(due);
            (renewed, largest) = (renewed + due.Count, Math.Max(largest, due.Count));
        }
        Assert.InRange(ticks * leases.RenewalTick, TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(18));
        // 2,000 a second are needed.
        Assert.InRange(largest, 1, 260);
    }

    [Fact]
    public async Task There_is_no_room_for_a_receive_that_could_pass_the_bound_in_bytes()
    {
        var memory = new InFlightBudget(2 * InFlightBudget.PerReceive);
        var leases = new Leases(_time, TimeSpan.FromSeconds(30), maxInFlight: 10, memory);
        var first = await leases.RoomAsync(CancellationToken.None);
        var lease = RecordingOwner.LeaseOf(Sample.Message("a"));
        leases.Add([lease]);
        first.Dispose();
        Assert.Equal(lease.Size, memory.Taken);

        using var second = await leases.RoomAsync(CancellationToken.None);
        var third = leases.RoomAsync(CancellationToken.None);
        Assert.False(third.IsCompleted);
        leases.Remove([lease]);
        leases.Remove([lease]);
        using (await third)
            Assert.Equal(2 * InFlightBudget.PerReceive, memory.Taken);
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(700_000, 0)]
    public async Task Messages_beyond_the_memory_set_aside_for_a_receive_are_kept_only_if_there_is_memory_for_them(int more, int tooMany)
    {
        var memory = new InFlightBudget(InFlightBudget.PerReceive + more);
        var leases = new Leases(_time, TimeSpan.FromSeconds(30), maxInFlight: 10, memory);
        // Some 7 MiB each.
        Lease[] large = [.. Enumerable.Range(0, 3)
            .Select(_ => RecordingOwner.LeaseOf([.. Enumerable.Range(0, 18_000).Select(i => Sample.Message("", "", ""))]))];
        var small = RecordingOwner.LeaseOf(Sample.Message("small"));
        Assert.InRange(large[0].Size, 7_000_000, 7_500_000);
        using (await leases.RoomAsync(CancellationToken.None))
            Assert.Equal(large.Skip(3 - tooMany), leases.Add([.. large, small]));
        Assert.Equal(large[0].Size + large[1].Size + large[2].SizeCounted + small.Size, memory.Taken);

        Assert.True(large[2].TryEnd(evenWithSubscribers: true));
        large[2].DropAll();
        leases.Shrink(large[2]);
        Assert.Equal(large[0].Size + large[1].Size + large[2].SizeAlone + small.Size, memory.Taken);
        leases.Remove(leases.All());
        Assert.Equal(0, memory.Taken);
    }

    [Fact]
    public void The_memory_of_settled_messages_of_a_lease_is_free_while_the_rest_are_unsettled()
    {
        var memory = new InFlightBudget(InFlightBudget.PerReceive);
        var leases = new Leases(_time, TimeSpan.FromSeconds(30), maxInFlight: 10, memory);
        var lease = RecordingOwner.LeaseOf(Sample.Message("a"), Sample.Message("b", body: new string('x', 10_000)));
        leases.Add([lease]);
        var before = memory.Taken;
        lease.Settle(lease.Messages[1]);
        leases.Shrink(lease);
        leases.Shrink(lease);
        Assert.InRange(before - memory.Taken, 10_000, 11_000);
        leases.Remove([lease]);
        Assert.Equal(0, memory.Taken);
    }

    [Fact]
    public async Task Memory_is_scarce_for_a_receive_when_others_wait_for_it_or_would_have_to()
    {
        var memory = new InFlightBudget(3 * InFlightBudget.PerReceive);
        using var first = await memory.ReserveAsync(CancellationToken.None);
        using var second = await memory.ReserveAsync(CancellationToken.None);
        var third = await memory.ReserveAsync(CancellationToken.None);
        Assert.Equal((false, false, true), (first.IsScarce, second.IsScarce, third.IsScarce));
        var (fourth, fifth) = (memory.ReserveAsync(CancellationToken.None), memory.ReserveAsync(CancellationToken.None));
        third.Dispose();
        using (var reserved = await fourth)
            Assert.True(reserved.IsScarce);
        using (var reserved = await fifth)
            Assert.True(reserved.IsScarce);
        first.Dispose();
        using var last = await memory.ReserveAsync(CancellationToken.None);
        Assert.False(last.IsScarce);
    }

    [Fact]
    public async Task A_receive_that_is_not_made_leaves_its_place_to_the_next()
    {
        var memory = new InFlightBudget(InFlightBudget.PerReceive);
        using var stopping = new CancellationTokenSource();
        var first = await memory.ReserveAsync(CancellationToken.None);
        var (gone, next) = (memory.ReserveAsync(stopping.Token), memory.ReserveAsync(CancellationToken.None));
        await stopping.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => gone);
        first.Dispose();
        (await next).Dispose();
        Assert.Equal(0, memory.Taken);
    }

    [Fact]
    public void A_lease_counts_the_body_the_names_and_the_receipt_handle()
    {
        var small = Lease(Sample.Message("a"), handle: "h");
        var destination = "/queue/" + new string('d', 1_000);
        Assert.InRange(Lease(Sample.Message("a", destination), handle: "h").Size - small.Size, 1_990, 2_010);
        Assert.Equal(2_000, Lease(Sample.Message("a"), handle: "h" + new string('h', 1_000)).Size - small.Size);
        // A large body is a slice of what came, and keeps the rest of that.
        Assert.InRange(Lease(Sample.Message("a", body: "body" + new string('b', 1_000)), handle: "h").Size - small.Size, 1_050, 1_150);
        // It came in base64, of which nothing stays: neither does of the envelope around it.
        Assert.Equal(1_000, Lease(Sample.Message("a", body: "body" + new string('\n', 1_000)), handle: "h").Size - small.Size);
    }

    [Fact]
    public void Only_leases_that_have_been_here_long_enough_are_due()
    {
        var leases = new Leases(_time, TimeSpan.FromSeconds(30), maxInFlight: 10);
        var (early, late, gone) = (RecordingOwner.LeaseOf(Sample.Message("a")), RecordingOwner.LeaseOf(Sample.Message("b")),
            RecordingOwner.LeaseOf(Sample.Message("c")));
        leases.Add([gone, early]);
        _time.Advance(TimeSpan.FromSeconds(5));
        leases.Add([late]);
        leases.Remove([gone]);
        leases.Remove([gone]);
        _time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal([early], leases.TakeDue());
        Assert.Equal([late, early], leases.All());
    }

    [Theory]
    [InlineData(30, 100)]
    [InlineData(43_200, 100)]
    [InlineData(3, 10)]
    public void Renewal_looks_often_enough(int visibilitySeconds, int tickMilliseconds) =>
        Assert.Equal(
            TimeSpan.FromMilliseconds(tickMilliseconds),
            new Leases(_time, TimeSpan.FromSeconds(visibilitySeconds), maxInFlight: 10).RenewalTick);

    [Fact]
    public async Task There_is_room_until_the_bound_and_again_below_it()
    {
        var leases = new Leases(_time, TimeSpan.FromSeconds(30), maxInFlight: 2);
        var (first, second) = (RecordingOwner.LeaseOf(Sample.Message("a")), RecordingOwner.LeaseOf(Sample.Message("b")));
        leases.Add([first]);
        Assert.True(leases.RoomAsync(CancellationToken.None).IsCompleted);
        leases.Add([second]);
        var waiting = leases.RoomAsync(CancellationToken.None);
        Assert.False(waiting.IsCompleted);
        leases.Remove([first]);
        await waiting;
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
    public void Nothing_of_a_settled_message_stays_alive()
    {
        var (lease, settled) = SettleAllButOne();
        GC.Collect();
        Assert.All(settled, body => Assert.False(body.IsAlive));
        Assert.Single(lease.Messages);
    }

    private static Lease Lease(Message message, string handle)
    {
        var received = new ReceivedMessage("id", handle, Sample.Envelope(message), 1);
        Assert.True(EnvelopeJson.TryRead(received.Body, out var envelope, out _));
        return new Lease(received, envelope, _ => 0, new RecordingOwner());
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
