using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Limits;

public sealed class FairShareTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(20)]
    [InlineData(999)]
    public void As_much_as_each_taker_has_stays_free_however_many_take_all_they_can(int greedy)
    {
        const int total = 100_000;
        var share = new FairShare(total);
        var held = new long[greedy];
        for (var tookSome = true; tookSome;)
        {
            tookSome = false;
            for (var i = 0; i < greedy; i++)
            {
                if (!share.TryTake(held[i], 1))
                    continue;
                held[i]++;
                tookSome = true;
            }
        }

        var each = total / (greedy + 1);
        Assert.All(held, one => Assert.InRange(one, each - 1, each + 1));
        Assert.InRange(share.Total - share.Taken, each - 1, total);
        Assert.True(share.TryTake(0, each / 2));
    }

    [Fact]
    public void An_amount_that_cannot_be_refused_is_taken_from_the_room_of_others()
    {
        var share = new FairShare(10);
        share.Take(9);
        Assert.False(share.TryTake(0, 1));
        Assert.Equal(9, share.Taken);

        share.GiveBack(9);
        Assert.True(share.MayTake(0, 5));
        Assert.False(share.MayTake(0, 6));
    }
}
