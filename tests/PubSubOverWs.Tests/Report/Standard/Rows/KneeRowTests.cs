using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Standard;
using PubSubOverWs.Report.Standard.Rows;
using PubSubOverWs.Report.Standard.Sections;

namespace PubSubOverWs.Tests.Report.Standard.Rows;

public sealed class KneeRowTests
{
    [Fact]
    public void An_arm_that_holds_every_rate_has_not_reached_its_knee()
    {
        var knees = KneeRow.All(Offers.Folder(), Offers.Rule);

        Assert.Equal(
            [("direct", null), ("direct", 1), ("direct", 2), ("pubsub", null), ("pubsub", 1), ("pubsub", 2)],
            knees.Select(knee => (knee.Arm, knee.Block)));
        Assert.All(knees, knee => Assert.Equal((400, (int?)null, false), (knee.Holds, knee.Fails, knee.IsReached)));
    }

    [Fact]
    public void A_rate_is_held_in_every_block_only_if_it_is_held_in_each()
    {
        var knees = KneeRow.All(
            Offers.Folder(row => row is { Arm: "pubsub", Block: 2, Level.Number: 400 } ? row.Lossy() : row), Offers.Rule);

        Assert.Equal([(200, 400), (400, null), (200, 400)], Brackets(knees, "pubsub"));
        Assert.Equal("3 of 100 lost", knees.First(knee => knee.Arm == "pubsub").Because);
        Assert.All(Brackets(knees, "direct"), bracket => Assert.Equal((400, (int?)null), bracket));
    }

    [Fact]
    public void A_higher_rate_that_is_held_again_does_not_count()
    {
        var knees = KneeRow.All(Offers.Folder(row => row.Level.Number == 100 ? row.Slow(101) : row), Offers.Rule);

        Assert.All(knees, knee => Assert.Equal(((int?)null, 100, "p99 101 ms"), (knee.Holds, knee.Fails, knee.Because)));
    }

    [Theory]
    [InlineData(396.0, null)]
    [InlineData(395.5, "396 of 400 achieved")]
    public void Nearly_all_of_a_rate_must_be_achieved(double achieved, string? because)
    {
        var row = Offers.Folder().Rows.First(one => one.Level.Number == 400).Achieving(achieved);

        Assert.Equal(because, Offers.Rule.WhyNot(row, Offers.Limit));
    }

    [Fact]
    public void A_rate_without_the_measures_that_judge_it_is_not_held()
    {
        var row = Offers.Folder().Rows[0];

        Assert.Equal(
            "the achieved rate is not known",
            Offers.Rule.WhyNot(row with { Measures = new Dictionary<string, double?>() }, Offers.Limit));
        Assert.Equal(
            "too few messages for a p99", Offers.Rule.WhyNot(row with { FromSent = row.FromSent with { P99 = null } }, Offers.Limit));
    }

    [Fact]
    public void Where_the_core_of_the_load_is_the_limit_the_knee_was_not_reached()
    {
        var knees = KneeRow.All(
            Offers.Folder(row => row.Level.Number == 400 ? row.Slow(300).Busy(0.97) : row), Offers.Rule);

        Assert.All(knees, knee => Assert.Equal((200, 400, true, false), (knee.Holds, knee.Fails, knee.IsLimitedByLoad, knee.IsReached)));
        Assert.Contains("p99 300 ms; the load's own core was 97 % busy", knees[0].Because, StringComparison.Ordinal);
    }

    [Fact]
    public void Each_limit_has_a_knee_of_its_own()
    {
        var rule = Offers.Rule with { Limits = [Offers.Limit, new KneeLimit(TimeSpan.FromMilliseconds(130), "theirs")] };

        var knees = KneeRow.All(Offers.Folder(row => row.Level.Number == 400 ? row.Slow(120) : row), rule);

        Assert.Equal(["p99 up to 100 ms", "p99 up to 130 ms"], knees.Select(knee => knee.Limit).Distinct());
        Assert.All(knees, knee => Assert.Equal(knee.Limit == "p99 up to 100 ms" ? 200 : 400, knee.Holds));
    }

    [Fact]
    public void The_report_has_the_knee_in_all_four_formats_and_another_report_says_nothing_of_it()
    {
        var folder = Offers.Folder(row => row is { Arm: "pubsub", Level.Number: 400 } ? row.Lossy() : row);
        var report = StandardReport.Make(folder, new Analysis([MessageMetrics.Loss]) { Knee = Offers.Rule });

        Assert.Contains("- direct, p99 up to 100 ms: holds 400 requests/s, the highest rate that was offered.", report.Markdown,
            StringComparison.Ordinal);
        Assert.Contains("- pubsub, p99 up to 100 ms: holds 200 requests/s, and not 400 (3 of 100 lost).", report.Markdown,
            StringComparison.Ordinal);
        Assert.Contains("| pubsub | p99 up to 100 ms | every | 200 | 400 | reached | 3 of 100 lost |", report.Markdown,
            StringComparison.Ordinal);
        Assert.Contains("id=\"knee-1\"", report.Html, StringComparison.Ordinal);
        Assert.Contains("\"knees\": [", report.Json, StringComparison.Ordinal);
        Assert.Contains("\"knee, p99 up to 100 ms\",,pubsub,,does not hold,400,requests/s\n", report.Csv, StringComparison.Ordinal);

        var without = StandardReport.Make(folder, new Analysis([MessageMetrics.Loss]));
        Assert.All(without.Named, file => Assert.DoesNotContain("knee", file.Text.Replace(Terms, "", StringComparison.Ordinal),
            StringComparison.Ordinal));
    }

    [Fact]
    public void Sentences_are_about_all_blocks_or_the_only_one()
    {
        var knees = KneeRow.All(Offers.Folder(row => row.Level.Number == 100 ? row.Lossy() : row), Offers.Rule);

        Assert.Equal(
            [
                "direct, p99 up to 100 ms: holds none of the rates, and not 100 (3 of 100 lost).",
                "pubsub, p99 up to 100 ms: holds none of the rates, and not 100 (3 of 100 lost).",
            ],
            KneeSection.Sentences(knees));
        Assert.Single(KneeSection.Sentences([.. knees.Where(knee => knee is { Arm: "direct", Block: 1 })]));
    }

    // What a validity check says of an experiment whose levels are rates.
    private const string Terms = "so the knee judges it rate by rate";

    private static IEnumerable<(int?, int?)> Brackets(IReadOnlyList<KneeRow> knees, string arm) =>
        knees.Where(knee => knee.Arm == arm).Select(knee => (knee.Holds, knee.Fails));
}
