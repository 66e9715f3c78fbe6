using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Published;

public sealed class PaperCheckTests
{
    private static readonly IReadOnlyList<PaperCheck> Checks = PaperCheck.All(PublishedPaper.Load());

    [Theory]
    [InlineData("III", 50, true, true)]
    [InlineData("III", 100, true, true)]
    [InlineData("III", 500, true, false)]
    [InlineData("III", 1000, true, false)]
    [InlineData("III", 5000, true, false)]
    [InlineData("III", 10000, true, false)]
    [InlineData("IV", 50, true, true)]
    [InlineData("IV", 100, true, true)]
    [InlineData("IV", 500, true, true)]
    [InlineData("IV", 1000, true, true)]
    [InlineData("IV", 5000, false, false)]
    [InlineData("IV", 10000, true, false)]
    public void A_published_p_is_attainable_if_values_that_round_as_printed_give_it(string table, int users, bool pooled, bool welch)
    {
        var check = Checks.Single(one => one.Table == table && one.Row.Users == users);
        Assert.Equal((pooled, welch), (check.PooledAttainable, check.WelchAttainable));
    }

    [Fact]
    public void Table_IV_at_5000_is_out_of_reach_of_the_pooled_test()
    {
        var row = PublishedPaper.Load().BandwidthOut.Single(one => one.Users == 5000);
        var range = PaperCheck.Range(row, 30, PooledTest.Test);
        Assert.Equal((2.74, 3.55), (Math.Round(range.Low * 1e24, 2), Math.Round(range.High * 1e24, 2)));
    }

    [Fact]
    public void Welchs_test_changes_none_of_the_papers_decisions() =>
        Assert.All(Checks, check => Assert.Equal(check.Row.Significant, check.Welch < 0.05));

    [Fact]
    public void Where_no_p_is_printed_nothing_is_attainable_or_not() =>
        Assert.All(Checks.Where(check => check.Table == "II"), check => Assert.Null(check.PooledAttainable));

    [Theory]
    [InlineData("300.20", 300.20, 0.005)]
    [InlineData("38", 38, 0.5)]
    [InlineData("2.21e-7", 2.21e-7, 0.005e-7)]
    public void A_printed_number_tells_how_far_it_was_rounded(string text, double value, double half)
    {
        var printed = Printed.Parse(text);
        Assert.Equal((text, value), (printed.Text, printed.Value));
        Assert.Equal(half, printed.HalfUnit, half * 1e-9);
    }
}
