using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Brokers;

public sealed class BudgetTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(20)]
    [InlineData(999)]
    public void As_much_as_each_taker_has_stays_free_however_many_take_all_they_can(int greedy)
    {
        const int total = 100_000;
        var budget = new Budget(total);
        var held = new long[greedy];
        for (var tookSome = true; tookSome;)
        {
            tookSome = false;
            for (var i = 0; i < greedy; i++)
            {
                if (!budget.TryTake(held[i], 1))
                    continue;
                held[i]++;
                tookSome = true;
            }
        }

        var each = total / (greedy + 1);
        Assert.All(held, one => Assert.InRange(one, each - 1, each + 1));
        Assert.InRange(budget.Free, each - 1, total);
        Assert.True(budget.TryTake(0, each / 2));
    }

    [Fact]
    public void An_amount_that_cannot_be_refused_is_taken_from_the_room_of_others()
    {
        var budget = new Budget(10);
        budget.Take(9);
        Assert.False(budget.TryTake(0, 1));
        Assert.Equal(9, budget.Taken);

        budget.GiveBack(9);
        Assert.True(budget.MayTake(0, 5));
        Assert.False(budget.MayTake(0, 6));
    }

    [Fact]
    public void The_size_of_a_message_counts_every_string_with_two_bytes_a_character()
    {
        var bare = new Message("", "", [], new byte[100], IsText: true).Size;
        Assert.Equal(100, bare);

        Assert.Equal(2_000, new Message(new string('i', 1_000), "", [], default, IsText: true).Size);
        Assert.Equal(16_000, new Message("", new string('d', 8_000), [], default, IsText: true).Size);
        Assert.InRange(
            new Message("", "", [new(new string('n', 1_000), new string('v', 2_000))], default, IsText: true).Size, 6_000, 6_100);
        Assert.InRange(
            new Message("", "", Enumerable.Repeat(KeyValuePair.Create("a", "b"), 64).ToArray(), default, IsText: true).Size, 64 * 64,
            64 * 100);
    }
}
