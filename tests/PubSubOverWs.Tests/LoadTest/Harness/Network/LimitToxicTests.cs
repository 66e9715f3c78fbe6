using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

public sealed class LimitToxicTests
{
    [Fact]
    public void The_connection_ends_in_the_middle_of_a_chunk()
    {
        var effect = new LimitToxic(15).Effect();

        Assert.Equal([new Piece(10, default)], effect.Take(10));
        Assert.Equal([new Piece(5, default, Ends: true)], effect.Take(10));
        Assert.Empty(effect.Take(10));
    }

    [Fact]
    public void The_connection_ends_with_the_last_byte_that_is_allowed_and_not_with_the_next() =>
        Assert.Equal([new Piece(10, default, Ends: true)], new LimitToxic(10).Effect().Take(10));

    [Fact]
    public void Slices_and_a_slow_wire_behind_a_limit_end_the_connection_with_the_last_byte_only()
    {
        var limited = new LimitToxic(5).Effect().Take(10).Single();
        List<Piece> sliced = [], slow = [];

        new SlicerToxic(2).Effect().Take(limited, sliced);
        new BandwidthToxic(20).Effect().Take(limited, slow);

        Assert.Equal([(2, false), (2, false), (1, true)], sliced.Select(piece => (piece.Length, piece.Ends)));
        Assert.Equal([false, false, false, false, true], slow.Select(piece => piece.Ends));
    }

    [Fact]
    public void A_limit_of_nothing_ends_the_connection_through_other_toxics_too()
    {
        var nothing = new LimitToxic(0).Effect().Take(10).Single();
        List<Piece> sliced = [];

        new SlicerToxic(2).Effect().Take(nothing, sliced);

        Assert.Equal([new Piece(0, default, Ends: true)], sliced);
    }
}
