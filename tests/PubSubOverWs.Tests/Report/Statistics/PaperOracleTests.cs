using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.Report.Statistics;

/// <summary>
/// The published tables as an oracle: p recomputed from the printed means and deviations, n = 30, by an independent implementation.
/// </summary>
public sealed class PaperOracleTests
{
    private static readonly PublishedPaper Paper = PublishedPaper.Load();

    [Theory]
    [InlineData("III", 50, 0.06091516, 0.06208848)]
    [InlineData("III", 100, 0.05675976, 0.05744265)]
    [InlineData("III", 500, 2.218845e-7, 4.607792e-7)]
    [InlineData("III", 1000, 7.521928e-6, 1.118367e-5)]
    [InlineData("III", 5000, 3.25501e-5, 5.755873e-5)]
    [InlineData("III", 10000, 1.312663e-6, 2.620854e-6)]
    [InlineData("IV", 50, 0.8610141, 0.8610191)]
    [InlineData("IV", 100, 0.4516683, 0.4517643)]
    [InlineData("IV", 500, 0.2894681, 0.2894832)]
    [InlineData("IV", 1000, 0.006621008, 0.006621008)]
    [InlineData("IV", 5000, 3.118097e-24, 5.422992e-23)]
    [InlineData("IV", 10000, 3.650004e-28, 4.329697e-28)]
    [InlineData("II", 5000, 2.265066e-103, 2.575192e-94)]
    [InlineData("II", 10000, 3.917440e-86, 2.719578e-49)]
    public void Both_tests_give_the_recomputed_p_of_every_published_row(string table, int users, double pooled, double welch)
    {
        var (direct, pubsub) = Arms(table, users);
        Close.Relative(pooled, PooledTest.Test(direct, pubsub)?.P, 1e-6);
        Close.Relative(welch, WelchTest.Test(direct, pubsub)?.P, 1e-6);
    }

    [Theory]
    [InlineData("III", 50, 1.0318)]
    [InlineData("III", 10000, 1.0147)]
    [InlineData("IV", 50, 0.9990)]
    [InlineData("IV", 10000, 1.0820)]
    [InlineData("II", 5000, 0.1719)]
    [InlineData("II", 10000, 0.1027)]
    public void The_published_ratios_are_those_of_the_printed_means(string table, int users, double ratio)
    {
        var (direct, pubsub) = Arms(table, users);
        Assert.Equal(ratio, Math.Round(Ratio.Compute(direct, pubsub)!.Value, 4));
    }

    // mpmath 1.3 at 50 digits: roots of the defining inequality, found numerically.
    [Theory]
    [InlineData(500, 1.01656658977, 1.03430790949, 1.01802200048, 1.03281657731)]
    [InlineData(10000, 1.00917262705, 1.02028465776, 1.01008944453, 1.01935316556)]
    [InlineData(50, 0.99836917813, 1.0668816197, 1.00379882094, 1.06092952746)]
    public void Fiellers_interval_of_the_latency_ratio_agrees_with_its_definition(
        int users, double low95, double high95, double low90, double high90)
    {
        var (direct, pubsub) = Arms("III", users);
        var wide = Ratio.Fieller(direct, pubsub, 0.95)!.Value;
        var narrow = Ratio.Fieller(direct, pubsub, 0.90)!.Value;
        Close.Relative(low95, wide.Low, 1e-9);
        Close.Relative(high95, wide.High, 1e-9);
        Close.Relative(low90, narrow.Low, 1e-9);
        Close.Relative(high90, narrow.High, 1e-9);
    }

    [Fact]
    public void One_is_outside_the_95_percent_interval_exactly_where_Welchs_test_rejects()
    {
        foreach (var (table, row) in Rows())
        {
            var (direct, pubsub) = Arms(table, row.Users);
            var rejects = WelchTest.Test(direct, pubsub)!.P < 0.05;
            Assert.Equal(rejects, !Ratio.Fieller(direct, pubsub, 0.95)!.Value.Contains(1));
            Assert.Equal(rejects, !WelchTest.Difference(direct, pubsub, 0.95)!.Value.Contains(0));
        }
    }

    [Fact]
    public void The_paper_calls_a_row_significant_if_its_printed_p_is_below_5_percent() => Assert.Equal(
        ["II 5000", "II 10000", "III 500", "III 1000", "III 5000", "III 10000", "IV 1000", "IV 5000", "IV 10000"],
        Rows().Where(row => row.Row.Significant).Select(row => $"{row.Table} {row.Row.Users}"));

    private static IEnumerable<(string Table, PublishedRow Row)> Rows() =>
        Paper.LostMessages.Select(row => ("II", row)).Concat(Paper.Latency.Select(row => ("III", row)))
            .Concat(Paper.BandwidthOut.Select(row => ("IV", row)));

    private static (Moments Direct, Moments PubSub) Arms(string table, int users)
    {
        var row = Rows().Single(one => one.Table == table && one.Row.Users == users).Row;
        return (row.Direct.Moments(Paper.Iterations), row.PubSub.Moments(Paper.Iterations));
    }
}
