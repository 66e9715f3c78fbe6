using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.Report.Statistics;
using PubSubOverWs.Tests.LoadTest.Commands;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Published;

public sealed class PaperDocumentTests
{
    private static readonly PublishedPaper Paper = PublishedPaper.Load();

    private static readonly IReadOnlyList<PaperCheck> Checks = PaperCheck.All(PublishedPaper.Load());

    // `paper > results/published/paper.md` makes it again: read what changed first.
    [Fact]
    public void The_committed_document_is_the_one_that_is_made() =>
        Assert.Equal(File.ReadAllText(Path.Combine(SourceTree.Root, "results", "published", "paper.md")), PaperDocument.Text(Paper));

    [Fact]
    public async Task The_command_prints_the_document()
    {
        var terminal = new TestTerminal();
        Assert.Equal(0, await terminal.RunAsync("paper"));
        Assert.Equal((PaperDocument.Text(Paper), ""), (terminal.Output, terminal.Error));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void No_values_that_round_to_the_printed_ones_have_a_p_outside_the_range(bool welch)
    {
        Func<Moments, Moments, TTest?> test = welch ? WelchTest.Test : PooledTest.Test;
        foreach (var row in Paper.Latency.Concat(Paper.BandwidthOut).Concat(Paper.LostMessages))
        {
            var range = PaperCheck.Range(row, 30, test);
            Assert.All(Grid(row, test), p => Assert.InRange(p, range.Low * (1 - 1e-9), range.High * (1 + 1e-9)));
        }
    }

    // The range may be wider than what is reached: where it says yes, the grid must reach as far.
    [Fact]
    public void A_p_that_is_called_attainable_lies_between_values_that_are_reached() => Assert.All(
        PaperCheck.All(Paper).Where(check => check.Row.P is not null),
        check =>
        {
            Assert.Equal(check.PooledAttainable, Reaches(check.Row, PooledTest.Test));
            Assert.Equal(check.WelchAttainable, Reaches(check.Row, WelchTest.Test));
        });

    [Fact]
    public void The_losses_vary_too_little_for_independent_ones() =>
        Assert.Equal([0.02, 0.06, 0.46, 0.06], LossSpread.All(Paper).Select(one => Math.Round(one.Share, 2)));

    [Fact]
    public void Per_delivered_message_the_published_increase_of_bandwidth_vanishes()
    {
        var rows = DeliveredRatio.All(Paper);
        Assert.Equal([1, 1, 1.0077, 1.0115, 1.0501, 1.0811], rows.Select(row => Math.Round(row.Delivered, 4)));
        Assert.Equal((0.9917, 1.0058), (Math.Round(rows.Min(row => row.PerMessage), 4), Math.Round(rows.Max(row => row.PerMessage), 4)));
    }

    [Fact]
    public void The_power_at_the_two_lowest_levels_of_latency_was_below_one_half() =>
        Assert.Equal(
            [true, true, false, false, false, false],
            PaperEffect.All(Paper).Where(effect => effect.Table == "III").Select(effect => effect.Power < 0.5));

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

    private static bool Reaches(PublishedRow row, Func<Moments, Moments, TTest?> test)
    {
        var reached = Grid(row, test).ToArray();
        return reached.Min() <= row.P!.Value.High && row.P.Value.Low <= reached.Max();
    }

    // Corners and inside of the box of all values that round to the printed ones. Equal means have p = 1.
    private static IEnumerable<double> Grid(PublishedRow row, Func<Moments, Moments, TTest?> test) =>
        from a in Grid(row.Direct.Mean)
        from b in Grid(row.Direct.Sd)
        from c in Grid(row.PubSub.Mean)
        from d in Grid(row.PubSub.Sd)
        select test(Moments.Printed(30, a, b), Moments.Printed(30, c, d))!.P;

    private static double[] Grid(Printed number) =>
        [number.Low, number.Value - (number.HalfUnit / 2), number.Value, number.Value + (number.HalfUnit / 2), number.High];
}
