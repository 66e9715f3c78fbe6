using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Limits;

public sealed class MemoryBudgetTests
{
    private const int Piece = 16 * 1024;

    private readonly MemoryBudget _budget = new(4 * Piece);

    [Fact]
    public void The_memory_that_each_connection_has_of_its_own_is_not_taken_from_the_shared_budget()
    {
        long reserved = 0;
        Assert.True(_budget.TryHold(MemoryBudget.Own, ref reserved));
        Assert.Equal((0L, 0L), (reserved, _budget.Taken));
    }

    [Fact]
    public void Further_memory_is_taken_in_pieces_and_given_back_when_it_is_no_longer_held()
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
    public void One_connection_has_at_most_as_much_as_stays_free_for_the_next()
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
    public void Memory_that_is_owed_counts_even_beyond_the_total_and_no_other_connection_grows_meanwhile()
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
