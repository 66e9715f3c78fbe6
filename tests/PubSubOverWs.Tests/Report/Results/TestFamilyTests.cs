using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;
using PubSubOverWs.Report.Results;
using PubSubOverWs.Report.Standard;

namespace PubSubOverWs.Tests.Report.Results;

public sealed class TestFamilyTests
{
    // R: p.adjust(c(0.03, 0.004, 0.028, 0.8), "hochberg") is 0.06 0.016 0.06 0.8; by Holm the third would be 0.084.
    [Fact]
    public void Hochbergs_correction_is_over_the_tested_runs_and_removes_chance_findings()
    {
        var adjusted = TestFamily.Adjust(
            [Row(LessLossWord.Holds, 0.03), Row(LessLossWord.NotTestable, null), Row(LessLossWord.Holds, 0.004),
                Row(LessLossWord.Reversed, 0.028), Row(LessLossWord.NotShown, 0.8)]);
        Assert.Equal(
            ["not shown", null, "holds", "not shown", "not shown"],
            adjusted.Select(row => row?.Word));
        Assert.Equal([0.06, null, 0.016, 0.06, 0.8], adjusted.Select(row => row is { } one ? Math.Round(one.P, 12) : (double?)null));
    }

    [Fact]
    public void A_run_whose_arms_are_alike_stays_alike_and_is_one_of_the_tests()
    {
        var adjusted = TestFamily.Adjust([Row(LessLossWord.Alike, 0.04), Row(LessLossWord.Holds, 0.03)]);
        Assert.Equal(
            [(0.04, "alike"), (0.04, "holds")],
            adjusted.Select(row => (Math.Round(row!.Value.P, 12), row.Value.Word)));
    }

    [Fact]
    public void A_list_of_runs_shows_the_corrected_word_of_each_run_under_a_fault()
    {
        RecordEntry[] entries =
        [
            new("a", null) { Verdict = "valid", Tests = [Row(LessLossWord.Holds, 0.03)] },
            new("b", null) { Verdict = "valid" },
            new("c", null) { Verdict = "valid", Tests = [Row(LessLossWord.NotTestable, null)] },
            new("d", null) { Verdict = "valid", Tests = [Row(LessLossWord.Holds, 0.00001)] },
            new("e", null) { Verdict = "valid", Tests = [Row(LessLossWord.NotJudged, null)] },
        ];
        Assert.Equal(
            [
                "Pubsub loses less (H1b): holds (p = 0.0300 by Hochberg over the 2 that were tested)",
                "valid",
                "Pubsub loses less (H1b): not testable",
                "Pubsub loses less (H1b): holds (p = 2.00e-5 by Hochberg over the 2 that were tested)",
                "Pubsub loses less (H1b): not judged (quick)",
            ],
            TestFamily.Told(entries).Select(entry => entry.Verdict));
    }

    private static ListedTest Row(LessLossWord word, double? p) => new LessLoss(word, "") { P = p }.ForList();
}
