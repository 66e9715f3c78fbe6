using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Limits;

public sealed class MemoryBudgetTests
{
    private const int Piece = 16 * 1024;

    private readonly MemoryBudget _budget = new(4 * Piece);

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
    public void One_connection_has_at_most_what_is_free_and_leaves_a_share_for_the_next()
    {
        long first = 0, second = 0;
        Assert.True(_budget.TryHold(MemoryBudget.Own + (2 * Piece), ref first));
        Assert.False(_budget.TryHold(MemoryBudget.Own + (2 * Piece) + 1, ref first));

        Assert.False(_budget.TryHold(MemoryBudget.Own + Piece + 1, ref second));
        Assert.True(_budget.CouldHold(MemoryBudget.Own + Piece, second));
        Assert.True(_budget.TryHold(MemoryBudget.Own + Piece, ref second));
        Assert.Equal((2L * Piece, 1L * Piece, 3L * Piece), (first, second, _budget.Taken));
        Assert.True(_budget.IsOver(first));
    }

    [Fact]
    public void What_is_owed_is_counted_even_beyond_the_total_and_nobody_else_grows_meanwhile()
    {
        long owed = 0, other = 0;
        _budget.Hold(MemoryBudget.Own + (5 * Piece), ref owed);
        Assert.Equal((5L * Piece, 5L * Piece), (owed, _budget.Taken));

        Assert.False(_budget.TryHold(MemoryBudget.Own + 1, ref other));
        Assert.True(_budget.TryHold(MemoryBudget.Own, ref other));
        _budget.Shrink(0, ref owed);
        Assert.True(_budget.TryHold(MemoryBudget.Own + 1, ref other));
    }
}
