using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.Report.Statistics;

/// <summary>
/// Ties by definition are ties, whatever the digits. Reference values: Python 3, itertools.combinations over whole numbers and
/// fractions.Fraction.
/// </summary>
public sealed class RearrangementsTests
{
    // Lost of 20,000 in each of 10 iterations of a run in which subscribers read slowly.
    private static readonly int[] Direct = [599, 600, 599, 600, 599, 600, 599, 600, 599, 600];
    private static readonly int[] PubSub = [600, 600, 600, 600, 600, 600, 600, 600, 600, 600];

    // 6,006 of 184,756 rearrangements; with mirrored ties missed it was 0.0162.
    [Fact]
    public void Mirrored_ties_count_so_that_p_is_two_sided()
    {
        var test = PermutationTest.OfShares(Shares(Direct), Shares(PubSub))!;
        Assert.Equal(PMethod.Exact, test.Method);
        Close.Relative(6006 / 184756.0, test.P, 1e-15);
        Assert.Equal("0.0325", PText.Text(test));
    }

    [Fact]
    public void The_same_readings_have_the_same_p_as_counts_shares_and_values() => Assert.Single(new[]
    {
        PermutationTest.OfShares(Shares(Direct), Shares(PubSub))!.P,
        PermutationTest.OfShares(Shares(Direct, 7), Shares(PubSub, 7))!.P,
        PermutationTest.Test([.. Direct.Select(lost => (double)lost)], [.. PubSub.Select(lost => (double)lost)])!.P,
        Exploratory.OfShares(Shares(Direct), Shares(PubSub)).Permutation!.P,
    }.Distinct());

    // Of 1/3, 1/2, 1/6 against 1/4, 1/4, 1/2 the sums are both 1: every rearrangement is as far apart.
    [Fact]
    public void Shares_of_different_wholes_are_compared_as_fractions() =>
        Assert.Equal(1, PermutationTest.OfShares([(1, 3), (1, 2), (1, 6)], [(1, 4), (1, 4), (1, 2)])!.P);

    // 12 of 70 by fractions; 10 of 70 where the shares are doubles, whose sums miss two ties.
    [Fact]
    public void Shares_agree_with_fractions_over_all_rearrangements() =>
        Close.Relative(
            12 / 70.0, PermutationTest.OfShares([(1, 3), (2, 7), (5, 11), (6, 13)], [(2, 3), (3, 7), (5, 11), (7, 13)])!.P, 1e-15);

    [Fact]
    public void A_draw_in_which_no_rearrangement_was_as_far_apart_says_only_that_p_is_below()
    {
        double[] one = [.. Enumerable.Range(0, 30).Select(i => (double)i)];
        var test = PermutationTest.Test(one, [.. one.Select(value => value + 100)])!;
        Assert.Equal((PMethod.Drawn, 1.0 / 10_000), (test.Method, test.P));
        Assert.Equal("< 0.0001", PText.Text(test));
        Assert.Equal("p < 0.0001", PText.Equation(test));
    }

    [Fact]
    public void An_exact_p_is_shown_however_small() =>
        Assert.Equal(
            "p = 1.08e-5",
            PText.Equation(PermutationTest.OfShares(Shares([.. Enumerable.Range(0, 10)]), Shares([.. Enumerable.Range(50, 10)]))!));

    private static (long, long)[] Shares(int[] lost, int times = 1) => [.. lost.Select(one => ((long)one * times, 20_000L * times))];
}
