using PubSubOverWs.Experiment.Experiments.Replication;

namespace PubSubOverWs.Tests.Experiment.Experiments.Replication;

public sealed class HypothesisVerdictTests
{
    [Theory]
    [InlineData(
        "contradicted at N = 2, 3 on this host", Verdict.Reproduced, Verdict.Contradicted, Verdict.Contradicted, Verdict.Inconclusive)]
    [InlineData("inconclusive", Verdict.Reproduced, Verdict.Inconclusive, Verdict.DirectionOnly, Verdict.NotTestable)]
    [InlineData("direction only", Verdict.Reproduced, Verdict.DirectionOnly, Verdict.NotTestable)]
    [InlineData("reproduced", Verdict.Reproduced, Verdict.NotTestable)]
    [InlineData("not testable", Verdict.NotTestable, Verdict.NotTestable)]
    [InlineData("not testable")]
    [InlineData("not judged (quick)", Verdict.NotJudged, Verdict.NotTestable)]
    [InlineData("no difference, as published", Verdict.NoDifference, Verdict.NoDifference)]
    public void The_weakest_testable_row_decides_and_a_contradiction_before_it(string text, params Verdict[] rows)
    {
        var verdict = HypothesisVerdict.Of("H2", "", [.. rows.Select((row, i) => new RowVerdict(i + 1, row, ""))]);
        Assert.Equal(text, verdict.Text);
    }

    [Fact]
    public void Rows_where_the_paper_claims_nothing_count_neither_for_nor_against()
    {
        RowVerdict[] rows = [new(50, Verdict.NotSeenByPaper, "") { IsClaimed = false },
            new(100, Verdict.Contradicted, "") { IsClaimed = false }, new(500, Verdict.DirectionOnly, "")];
        Assert.Equal("direction only", HypothesisVerdict.Of("H2", "", rows).Text);
    }
}
