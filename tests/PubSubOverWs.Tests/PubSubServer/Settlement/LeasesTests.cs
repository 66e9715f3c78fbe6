using PubSubOverWs.PubSubServer;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class LeasesTests
{
    private readonly FakeTime _time = new();

    [Fact]
    public void A_lease_is_due_at_a_third_of_the_visibility_and_again_after_another()
    {
        var leases = new Leases(_time, TimeSpan.FromSeconds(30), maxInFlight: 10);
        var lease = NoOwner.Lease(Sample.Message("a"));
        leases.Add([lease]);
        _time.Advance(TimeSpan.FromSeconds(9.9));
        Assert.Empty(leases.TakeDue());
        _time.Advance(TimeSpan.FromSeconds(0.1));
        Assert.Equal([lease], leases.TakeDue());
        Assert.Empty(leases.TakeDue());
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal([lease], leases.TakeDue());
    }

    [Fact]
    public void Only_those_are_due_that_have_been_here_long_enough()
    {
        var leases = new Leases(_time, TimeSpan.FromSeconds(30), maxInFlight: 10);
        var (early, late, gone) = (NoOwner.Lease(Sample.Message("a")), NoOwner.Lease(Sample.Message("b")), NoOwner.Lease(Sample.Message("c")));
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
    [InlineData(30, 1000)]
    [InlineData(43_200, 1000)]
    [InlineData(3, 100)]
    public void Renewal_looks_often_enough(int visibilitySeconds, int tickMilliseconds) =>
        Assert.Equal(
            TimeSpan.FromMilliseconds(tickMilliseconds),
            new Leases(_time, TimeSpan.FromSeconds(visibilitySeconds), maxInFlight: 10).RenewalTick);

    [Fact]
    public async Task There_is_room_until_the_bound_and_again_below_it()
    {
        var leases = new Leases(_time, TimeSpan.FromSeconds(30), maxInFlight: 2);
        var (first, second) = (NoOwner.Lease(Sample.Message("a")), NoOwner.Lease(Sample.Message("b")));
        leases.Add([first]);
        Assert.True(leases.RoomAsync().IsCompleted);
        leases.Add([second]);
        var waiting = leases.RoomAsync();
        Assert.False(waiting.IsCompleted);
        leases.Remove([first]);
        await waiting;
    }

    [Fact]
    public void What_is_unsettled_is_summed_over_all()
    {
        var leases = new Leases(_time, TimeSpan.FromSeconds(30), maxInFlight: 10);
        var two = NoOwner.Lease(Sample.Message("a", body: "12345"), Sample.Message("b", body: "123"));
        leases.Add([two, NoOwner.Lease(Sample.Message("c", body: "1"))]);
        Assert.Equal((3L, 9L), leases.Unsettled);
        two.Settle(two.Messages[0]);
        Assert.Equal((2L, 4L), leases.Unsettled);
    }
}
