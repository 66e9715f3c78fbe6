using PubSubOverWs.Experiment.Verdicts;

namespace PubSubOverWs.Tests.Experiment.Verdicts;

public sealed class HypothesisVerdictTests
{
    [Theory]
    [InlineData("contradicted at N = 2, 3", Verdict.Reproduced, Verdict.Contradicted, Verdict.Contradicted, Verdict.Inconclusive)]
    [InlineData("inconclusive", Verdict.Reproduced, Verdict.Inconclusive, Verdict.DirectionOnly, Verdict.NotTestable)]
    [InlineData("direction only", Verdict.Reproduced, Verdict.DirectionOnly, Verdict.NotTestable)]
    [InlineData("reproduced", Verdict.Reproduced, Verdict.NotTestable)]
    [InlineData("not testable", Verdict.NotTestable, Verdict.NotTestable)]
    [InlineData("not testable")]
    public void The_weakest_testable_row_speaks_and_a_contradiction_before_it(string text, params Verdict[] rows)
    {
        var verdict = HypothesisVerdict.Of("H2", "", [.. rows.Select((row, i) => new RowVerdict(i + 1, row, ""))]);
        Assert.Equal(text, verdict.Text);
    }
}
