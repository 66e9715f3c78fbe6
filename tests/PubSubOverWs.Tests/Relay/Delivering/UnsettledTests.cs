using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Delivering;

public sealed class UnsettledTests
{
    [Fact]
    public void Acknowledging_one_costs_the_same_however_many_wait()
    {
        Assert.InRange(CostOfEach(100_000), 0.5, 1.5 * CostOfEach(1_000));

        static double CostOfEach(int count)
        {
            var (unsettled, looks) = Filled(count);
            looks.Count = 0;
            // From the last to the first, and every other one first: no order is the cheap one.
            for (var number = count; number > 0; number -= 2)
                Assert.NotNull(unsettled.Take(number));
            for (var number = count - 1; number > 0; number -= 2)
                Assert.NotNull(unsettled.Take(number));
            Assert.Equal(0, unsettled.Count);
            return (double)looks.Count / count;
        }
    }

    [Fact]
    public void Acknowledging_all_up_to_one_costs_the_same_for_each_however_many_wait_behind_it()
    {
        Assert.InRange(CostOfEach(100_000), 0.5, 1.5 * CostOfEach(1_000));

        static double CostOfEach(int count)
        {
            var (unsettled, looks) = Filled(count);
            looks.Count = 0;
            for (var number = 1; number <= count; number++)
                Assert.Single(unsettled.TakeUpTo(number));
            return (double)looks.Count / count;
        }
    }

    private static (Unsettled Unsettled, Looks Looks) Filled(int count)
    {
        var looks = new Looks();
        var unsettled = new Unsettled(looks);
        var delivery = FakeDelivery.To("/queue/a", "x");
        for (var number = 1; number <= count; number++)
            unsettled.Add(number, delivery);
        return (unsettled, looks);
    }

    /// <summary>Counts how often a number is looked at.</summary>
    private sealed class Looks : IEqualityComparer<long>
    {
        public long Count { get; set; }

        public bool Equals(long x, long y)
        {
            Count++;
            return x == y;
        }

        public int GetHashCode(long obj) => obj.GetHashCode();
    }
}
