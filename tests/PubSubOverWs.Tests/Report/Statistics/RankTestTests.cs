using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.Report.Statistics;

/// <summary>Mann-Whitney and Brunner-Munzel. Reference values: SciPy 1.10.1, unless said otherwise.</summary>
public sealed class RankTestTests
{
    private static readonly double[] Low = [36.1, 38.2, 35.5, 40.3, 37.7, 36.9, 39.1];
    private static readonly double[] High = [38.4, 41.0, 39.9, 42.2, 37.9, 43.1, 40.8, 44.0];
    private static readonly double[] Thirty = [.. Enumerable.Range(0, 30).Select(i => (double)i)];

    // scipy.stats.mannwhitneyu(method="exact").
    [Fact]
    public void Mann_and_Whitneys_p_is_exact_for_small_n()
    {
        var test = MannWhitney.Test(Low, High)!;
        Assert.Equal((50.0 / 56, PMethod.Exact), (test.Superiority, test.Method));
        Close.Relative(0.009324009324009324, test.P, 1e-12);
        Close.Relative(0.02633196030257938, MannWhitney.Test(Thirty, [.. Thirty.Select(x => x + 5.5)])!.P, 1e-12);
        Close.Relative(1.6911233892144735e-17, MannWhitney.Test(Thirty, [.. Thirty.Select(x => x + 100)])!.P, 1e-12);
    }

    // scipy.stats.permutation_test of U over all 462 rearrangements: mannwhitneyu itself has no exact p with ties.
    [Fact]
    public void Mann_and_Whitneys_p_is_exact_with_ties_too() =>
        Close.Relative(0.12554112554112554, MannWhitney.Test([1, 2, 2, 3, 4], [2, 3, 4, 4, 5, 5])!.P, 1e-12);

    // scipy.stats.mannwhitneyu(method="asymptotic").
    [Fact]
    public void Above_49_values_Mann_and_Whitneys_p_is_the_normal_distributions_corrected_for_ties()
    {
        var sixty = Enumerable.Range(0, 60).Select(i => (double)(i / 3)).ToArray();
        var test = MannWhitney.Test(sixty, [.. sixty.Select(x => x + 2)])!;
        Assert.Equal((2142.0 / 3600, PMethod.Approximate), (test.Superiority, test.Method));
        Close.Relative(0.07274553185170458, test.P, 1e-10);
    }

    // scipy.stats.brunnermunzel.
    [Fact]
    public void From_15_values_on_Brunner_and_Munzels_p_is_that_of_t()
    {
        var test = BrunnerMunzel.Test(Thirty[..20], [.. Thirty[..18].Select(x => (x * 1.7) - 1.3)])!;
        Assert.Equal(PMethod.Approximate, test.Method);
        Close.Relative(0.22786957415810072, test.P, 1e-10);
    }

    // Every rearrangement tried with scipy.stats.brunnermunzel's statistic: 82 of 462, and 28 of 252 with ties.
    [Fact]
    public void Below_15_values_Brunner_and_Munzels_test_is_permuted()
    {
        var test = BrunnerMunzel.Test([1, 3, 5, 6, 8], [2, 4, 7, 9, 10, 11])!;
        Assert.Equal(PMethod.Exact, test.Method);
        Close.Relative(82.0 / 462, test.P, 1e-12);
        Close.Relative(28.0 / 252, BrunnerMunzel.Test([1, 2, 2, 3, 4], [2, 3, 5, 5, 6])!.P, 1e-12);
    }

    // The pain scores of Brunner and Munzel (2000); by t SciPy and R's lawstat give 0.005786, the permutation is near it.
    [Fact]
    public void Where_there_are_too_many_rearrangements_they_are_drawn_the_same_way_each_time()
    {
        double[] one = [1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 1, 1];
        double[] other = [3, 3, 4, 3, 1, 2, 3, 1, 1, 5, 4];
        var test = BrunnerMunzel.Test(one, other)!;
        Assert.Equal(PMethod.Drawn, test.Method);
        Assert.InRange(test.P, 0.003, 0.012);
        Assert.Equal(test, BrunnerMunzel.Test(one, other));
        Close.Relative(0.788961, test.Superiority, 1e-6);
    }

    [Fact]
    public void Arms_that_do_not_overlap_are_as_rare_as_their_rearrangements()
    {
        Close.Relative(2.0 / 252, BrunnerMunzel.Test([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])!.P, 1e-12);
        Close.Relative(1.6911233892144735e-17, BrunnerMunzel.Test(Thirty, [.. Thirty.Select(x => x + 100)])!.P, 1e-10);
        Close.Relative(2.0 / 20, MannWhitney.Test([1, 1, 1], [2, 2, 2])!.P, 1e-12);
        Close.Relative(2.0 / 20, BrunnerMunzel.Test([1, 1, 1], [2, 2, 2])!.P, 1e-12);
    }

    [Fact]
    public void One_arm_without_variance_can_be_tested()
    {
        Assert.InRange(MannWhitney.Test([5, 5, 5, 5], [1, 6, 7, 9])!.P, 0.3, 0.7);
        Assert.InRange(BrunnerMunzel.Test([5, 5, 5, 5], [1, 6, 7, 9])!.P, 0.2, 0.9);
    }

    [Fact]
    public void Equal_groups_have_p_of_one()
    {
        Assert.Equal(new RankTest(0.5, 1, PMethod.Exact), MannWhitney.Test(Low, Low));
        Assert.Equal(new RankTest(0.5, 1, PMethod.Exact), BrunnerMunzel.Test(Low[..5], Low[..5]));
    }

    [Fact]
    public void Below_two_values_or_with_all_values_equal_there_is_nothing_to_test()
    {
        Assert.Null(MannWhitney.Test([1], High));
        Assert.Null(BrunnerMunzel.Test(High, [1]));
        Assert.Null(PermutationTest.Test([], High));
        Assert.Null(MannWhitney.Test([2, 2], [2, 2, 2]));
        Assert.Null(BrunnerMunzel.Test([2, 2], [2, 2, 2]));
        Assert.Null(PermutationTest.Test([2, 2], [2, 2, 2]));
    }

    [Fact]
    public void Equal_values_share_the_middle_of_their_ranks() => Assert.Equal([4, 1.5, 3, 1.5], Ranks.Compute([9, 2, 5, 2]));
}

/// <summary>Tests and intervals that count instead of approximating.</summary>
public sealed class ExactTests
{
    // SciPy 1.10.1: permutation_test of the difference of means over all rearrangements.
    [Fact]
    public void Permuting_iterations_agrees_with_SciPy()
    {
        var test = PermutationTest.Test([5, 0, 3, 1, 0], [9, 4, 7, 2, 6])!;
        Assert.Equal(PMethod.Exact, test.Method);
        Close.Relative(0.05555555555555555, test.P, 1e-12);
    }

    [Fact]
    public void Drawn_rearrangements_are_near_all_of_them_and_the_same_each_time()
    {
        double[] one = [.. Enumerable.Range(0, 15).Select(i => (double)(i * 7 % 15))];
        double[] other = [.. one.Select(x => x + 4)];
        var test = PermutationTest.Test(one, other)!;
        Assert.Equal((PMethod.Drawn, test), (test.Method, PermutationTest.Test(one, other)));
        Assert.InRange(
            test.P, PooledTest.Test(Moments.Compute(one), Moments.Compute(other))!.P - 0.01,
            PooledTest.Test(Moments.Compute(one), Moments.Compute(other))!.P + 0.01);
    }

    [Fact]
    public void One_iteration_that_lost_everything_at_once_is_not_evidence() =>
        Assert.Equal(1, PermutationTest.Test([0, 0, 0, 0, 0, 700], [0, 0, 0, 0, 0, 0])!.P);

    // SciPy 1.10.1: beta.ppf and beta.isf.
    [Theory]
    [InlineData(1, 300000, 8.439268971990302e-08, 1.8572003128377268e-05)]
    [InlineData(8550, 150000, 0.055831973638765416, 0.058185186261351364)]
    [InlineData(3, 20, 0.0320709371854637, 0.37892682654531396)]
    [InlineData(1, 2, 0.01257911709342505, 0.9874208829065749)]
    public void Exact_intervals_keep_their_digits_near_0(long events, long trials, double low, double high)
    {
        var interval = ExactInterval.Compute(events, trials, 0.95)!.Value;
        Close.Relative(low, interval.Low, 1e-9);
        Close.Relative(high, interval.High, 1e-9);
    }

    // docs/reference/method.md. SciPy: binom.sf(4, 18, 0.05) = 0.0015, sf(3, ...) = 0.0109; sf(11, 100) = 0.0043; sf(28, 360) = 0.0086.
    [Theory]
    [InlineData(18, 4)]
    [InlineData(100, 11)]
    [InlineData(360, 28)]
    [InlineData(1, 1)]
    [InlineData(0, 0)]
    public void A_server_against_itself_may_differ_so_often(int tests, int most) =>
        Assert.Equal(most, AgainstItselfJudge.MostRejections(tests));
}
