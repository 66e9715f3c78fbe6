using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.Report.Statistics;

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
        var test = PermutationTest.Test(one, other, seed: 3)!;
        Assert.Equal((PMethod.Drawn, test), (test.Method, PermutationTest.Test(one, other, seed: 3)));
        Assert.InRange(
            test.P, PooledTest.Test(Moments.Of(one), Moments.Of(other))!.P - 0.01,
            PooledTest.Test(Moments.Of(one), Moments.Of(other))!.P + 0.01);
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
        var interval = ExactInterval.Of(events, trials, 0.95)!.Value;
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
