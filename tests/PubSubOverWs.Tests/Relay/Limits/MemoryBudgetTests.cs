using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Limits;

public sealed class MemoryBudgetTests
{
    private const int Piece = 64 * 1024;

    private readonly MemoryBudget _budget = new(2 * Piece);

    [Fact]
    public void What_a_connection_has_for_itself_touches_nothing_that_is_shared()
    {
        long reserved = 0;
        Assert.True(_budget.TryHold(MemoryBudget.Own, ref reserved));
        Assert.Equal((0L, 0L), (reserved, _budget.Taken));
    }

    [Fact]
    public void More_is_taken_in_pieces_and_given_back_when_it_is_not_held_any_more()
    {
        long reserved = 0;
        Assert.True(_budget.TryHold(MemoryBudget.Own + 1, ref reserved));
        Assert.True(_budget.TryHold(MemoryBudget.Own + Piece + 1, ref reserved));
        Assert.Equal((2L * Piece, 2L * Piece), (reserved, _budget.Taken));

        _budget.Shrink(MemoryBudget.Own + 1, ref reserved);
        Assert.Equal((1L * Piece, 1L * Piece), (reserved, _budget.Taken));
        _budget.Shrink(0, ref reserved);
        Assert.Equal((0L, 0L), (reserved, _budget.Taken));
    }

    [Fact]
    public void When_the_total_is_used_up_nobody_grows_and_everybody_keeps_what_they_have()
    {
        long first = 0, second = 0;
        Assert.True(_budget.TryHold(MemoryBudget.Own + (2 * Piece), ref first));

        Assert.False(_budget.TryHold(MemoryBudget.Own + 1, ref second));
        Assert.False(_budget.TryHold(MemoryBudget.Own + (2 * Piece) + 1, ref first));
        Assert.Equal((2L * Piece, 0L, 2L * Piece), (first, second, _budget.Taken));
        Assert.True(_budget.TryHold(MemoryBudget.Own, ref second));
    }
}
