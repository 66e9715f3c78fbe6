using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

/// <summary>What each toxic does to chunks and connections, without a clock or a network.</summary>
public sealed class ToxicTests
{
    private static readonly LossToxic Tenth = new(0.1, Passed.Seconds(0.2));

    private static readonly StallToxic TwoOfTen = new(Passed.Seconds(10), Passed.Seconds(2));

    private readonly Random _random = new(1);

    private static readonly ChurnToxic Churn = new(Passed.Seconds(10));

    [Fact]
    public void Every_chunk_comes_later_by_the_delay_however_fast_they_follow()
    {
        var effect = new LatencyToxic(Passed.Seconds(2)).Effect();

        Assert.Equal([new Piece(10, Passed.Seconds(2))], effect.Take(10));
        Assert.Equal([new Piece(20, Passed.Seconds(2.5))], effect.Take(20, due: 0.5));
    }

    [Fact]
    public void Jitter_is_spread_evenly_around_a_delay_and_never_changes_the_order()
    {
        var effect = new LatencyToxic(Passed.Seconds(2), Passed.Seconds(1)).Effect();

        var apart = Enumerable.Range(0, 10_000).Select(i => effect.Take(1, due: 10 * i).Single().Due - Passed.Seconds(10 * i)).ToArray();
        var together = Enumerable.Range(0, 1000).Select(_ => effect.Take(1, due: 200_000).Single().Due).ToArray();

        Assert.All(apart, delay => Assert.InRange(delay, Passed.Seconds(1), Passed.Seconds(3)));
        Assert.InRange(apart.Average(delay => delay.TotalSeconds), 1.98, 2.02);
        Assert.InRange(apart.Count(delay => delay < Passed.Seconds(1.5)), 2300, 2700);
        Assert.Equal(together.Order(), together);
    }

    [Fact]
    public void With_a_deviation_delays_are_lognormal_and_a_late_chunk_holds_up_those_behind_it()
    {
        var effect = new LatencyToxic(Passed.Seconds(0.1)) { Deviation = Passed.Seconds(0.1) }.Effect();

        var apart = Enumerable.Range(0, 10_000)
            .Select(i => (effect.Take(1, due: 100 * i).Single().Due - Passed.Seconds(100 * i)).TotalSeconds).ToArray();
        var together = Enumerable.Range(0, 1000).Select(_ => effect.Take(1, due: 2_000_000).Single().Due).ToArray();

        // A mean of 0.1 and as large a deviation: half of the draws are below 0.1/sqrt(2).
        Assert.InRange(apart.Average(), 0.096, 0.104);
        Assert.InRange(apart.Count(delay => delay < 0.1 / Math.Sqrt(2)), 4800, 5200);
        Assert.Equal(together.Order(), together);
    }

    [Fact]
    public void A_deviation_goes_with_no_jitter()
    {
        var toxic = new LatencyToxic(Passed.Seconds(1)) { Deviation = Passed.Seconds(10) };

        Assert.Null(toxic.FindFault());
        Assert.NotNull((toxic with { Deviation = Passed.Seconds(10.1) }).FindFault());
        Assert.NotNull((toxic with { Jitter = Passed.Seconds(1) }).FindFault());
    }

    [Fact]
    public void Bytes_flow_at_the_rate_and_the_last_one_ends_on_time()
    {
        var pieces = new BandwidthToxic(1000).Effect().Take(1000);

        Assert.Equal(1000, pieces.Sum(piece => piece.Length));
        Assert.All(pieces, piece => Assert.Equal(50, piece.Length));
        Assert.Equal(Passed.Seconds(0.05), pieces[0].Due);
        Assert.Equal(Passed.Seconds(1), pieces[^1].Due);
    }

    [Fact]
    public void Bytes_that_come_while_the_link_is_busy_wait_and_later_bytes_find_it_idle()
    {
        var effect = new BandwidthToxic(1000).Effect();

        Assert.Equal(Passed.Seconds(1), effect.Take(1000)[^1].Due);
        Assert.Equal(Passed.Seconds(1.5), effect.Take(500, due: 0.2)[^1].Due);
        Assert.Equal(Passed.Seconds(9.5), effect.Take(500, due: 9)[^1].Due);
    }

    [Fact]
    public void The_rate_holds_for_many_small_messages()
    {
        var effect = new BandwidthToxic(7_000_000).Effect();

        var due = Enumerable.Range(0, 100_000).Select(_ => effect.Take(7)[^1].Due).ToArray();

        Assert.Equal(Passed.Seconds(0.1), due[^1]);
    }

    [Fact]
    public void A_chunk_comes_in_slices_with_the_delay_between_them()
    {
        var effect = new SlicerToxic(4, Delay: Passed.Seconds(1)).Effect();

        Assert.Equal([new Piece(4, Passed.Seconds(0)), new Piece(4, Passed.Seconds(1)), new Piece(2, Passed.Seconds(2))], effect.Take(10));
        Assert.Equal([new Piece(3, Passed.Seconds(3))], effect.Take(3));
    }

    [Fact]
    public void Sizes_vary_as_configured_and_nothing_is_lost()
    {
        var slices = new SlicerToxic(10, Variation: 9).Effect().Take(100_000);

        Assert.Equal(100_000, slices.Sum(slice => slice.Length));
        Assert.Equal(Enumerable.Range(1, 19), slices.SkipLast(1).Select(slice => slice.Length).Distinct().Order());
        Assert.InRange(slices.Average(slice => slice.Length), 9.8, 10.2);
    }

    [Fact]
    public void The_share_of_chunks_comes_later_by_the_timeout_and_the_others_at_once()
    {
        var effect = Tenth.Effect();

        var waits = Enumerable.Range(0, 2000).Select(i => effect.Take(22, due: i).Single().Due - Passed.Seconds(i)).ToArray();

        Assert.Equal([TimeSpan.Zero, Passed.Seconds(0.2)], waits.Distinct().Order());
        Assert.InRange(waits.Count(wait => wait > TimeSpan.Zero), 160, 240);
    }

    [Fact]
    public void What_is_behind_a_late_chunk_comes_with_it_and_nothing_is_missing()
    {
        var effect = Tenth.Effect();

        var passed = Enumerable.Range(0, 2000).SelectMany(i => effect.Take(1, due: i * 0.01)).ToArray();

        Assert.Equal(2000, passed.Sum(piece => piece.Length));
        Assert.Equal(passed.Select(piece => piece.Due).Order(), passed.Select(piece => piece.Due));
        Assert.True(passed.GroupBy(piece => piece.Due).Max(together => together.Count()) > 1);
    }

    [Fact]
    public void Without_a_share_nothing_is_late_and_with_the_whole_everything_is()
    {
        Assert.Equal(Passed.Seconds(1), (Tenth with { Share = 0 }).Effect().Take(1, due: 1).Single().Due);
        Assert.Equal(Passed.Seconds(1.2), (Tenth with { Share = 1 }).Effect().Take(1, due: 1).Single().Due);
        Assert.NotNull((Tenth with { Share = 1.1 }).FindFault());
        Assert.NotNull((Tenth with { After = Passed.Seconds(-1) }).FindFault());
    }

    [Fact]
    public void Bytes_that_come_during_a_stall_pass_at_its_end_and_all_others_at_once()
    {
        var effect = TwoOfTen.Effect();
        var waits = Enumerable.Range(0, 1000).Select(i => effect.Take(1, due: 20 + (i * 0.1)).Single().Due - Passed.Seconds(20 + (i * 0.1)))
            .ToArray();

        Assert.All(waits, wait => Assert.InRange(wait, TimeSpan.Zero, Passed.Seconds(2)));
        Assert.InRange(waits.Count(wait => wait > TimeSpan.Zero), 190, 210);
        Assert.InRange(waits.Max(), Passed.Seconds(1.85), Passed.Seconds(2));
    }

    [Fact]
    public void The_first_stall_begins_after_a_part_that_is_drawn()
    {
        var first = Enumerable.Range(0, 1000)
            .Select(seed => TwoOfTen.Effect(seed))
            .Select(effect =>
                Enumerable.Range(0, 100).First(i => effect.Take(1, due: i * 0.1).Single().Due > Passed.Seconds(i * 0.1) || i == 99) * 0.1)
            .ToArray();

        Assert.InRange(first.Average(), 4.6, 5.4);
        Assert.InRange(first.Min(), 0, 0.3);
    }

    [Fact]
    public void A_stall_that_takes_all_the_time_never_ends() =>
        Assert.True(new StallToxic(Passed.Seconds(1), Passed.Seconds(1)).Effect().Take(1, due: 1).Single().Due > TimeSpan.FromHours(23));

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

    [Fact]
    public void The_reset_comes_after_the_given_time_from_when_it_was_applied_to_the_connection() =>
        Assert.Equal(
            Passed.Seconds(15), new ResetToxic(Passed.Seconds(5)).ResetAt(new ToxicContext(Passed.Seconds(10), AtOpening: false, _random)));

    [Fact]
    public void Jitter_is_spread_evenly_around_the_time_of_the_reset()
    {
        var toxic = new ResetToxic(Passed.Seconds(5), Passed.Seconds(5));
        var resets = Enumerable.Range(0, 10_000).Select(_ => toxic.ResetAt(new ToxicContext(default, AtOpening: true, _random))!.Value)
            .ToArray();

        Assert.All(resets, at => Assert.InRange(at, Passed.Seconds(0), Passed.Seconds(10)));
        Assert.InRange(resets.Average(at => at.TotalSeconds), 4.9, 5.1);
    }

    [Fact]
    public void A_reset_toxic_has_no_effect_on_bytes() =>
        Assert.Null(new ResetToxic(Passed.Seconds(5)).Effect(new ToxicContext(default, AtOpening: true, _random)));

    [Fact]
    public void Connections_that_are_there_are_cut_at_a_phase_that_is_uniform()
    {
        var phases = Enumerable.Range(0, 10_000).Select(connection => CutOf(connection, at: 100, atOpening: false) - 100).ToArray();

        Assert.All(phases, phase => Assert.InRange(phase, 0, 10));
        for (var tenth = 0; tenth < 10; tenth++)
            Assert.InRange(phases.Count(phase => (int)phase == tenth), 880, 1120); // Four standard deviations around 1,000.
    }

    [Fact]
    public void A_connection_that_comes_later_lasts_the_whole_time() => Assert.Equal(110, CutOf(connection: 1, at: 100, atOpening: true));

    [Fact]
    public void Phases_belong_to_the_seed_and_the_connection()
    {
        Assert.Equal(CutOf(7, 0, atOpening: false), CutOf(7, 0, atOpening: false));
        Assert.NotEqual(CutOf(7, 0, atOpening: false), CutOf(8, 0, atOpening: false));
        Assert.NotEqual(CutOf(7, 0, atOpening: false), CutOf(7, 0, atOpening: false, seed: 2));
    }

    [Fact]
    public void A_client_that_stays_away_two_seconds_of_ten_is_away_a_sixth_of_the_time()
    {
        const double Away = 2, End = 10_000;
        double online = 0;
        for (var client = 0; client < 100; client++)
        {
            double at = 0;
            for (var cut = CutOf(client, at, atOpening: false); at < End; cut = CutOf(client, at, atOpening: true))
            {
                online += Math.Min(cut, End) - at;
                at = cut + Away;
            }
        }

        Assert.Equal(10d / 12, online / (100 * End), tolerance: 0.001);
    }

    private static double CutOf(long connection, double at, bool atOpening, long seed = 1) =>
        ConnectionToxics.Draw(new ToxicSet([Churn], seed), connection, Passed.Seconds(at), atOpening).ResetAt!.Value.TotalSeconds;
}

/// <summary>Chunks after a toxic, without a clock or a connection.</summary>
internal static class Passed
{
    public static TimeSpan Seconds(double seconds) => TimeSpan.FromSeconds(seconds);

    /// <summary>It befell the connection at 0 s.</summary>
    public static IEffect Effect(this Toxic toxic, int seed = 1) =>
        toxic.Effect(new ToxicContext(TimeSpan.Zero, AtOpening: true, new Random(seed)))!;

    public static IReadOnlyList<Piece> Take(this IEffect effect, int length, double due = 0)
    {
        var output = new List<Piece>();
        effect.Take(new Piece(length, Seconds(due)), output);
        return output;
    }
}
