using PubSubOverWs.LoadTest.Experiments.Paper.Replication;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Replication;

public sealed class HypothesisVerdictTests
{
    [Theory]
    [InlineData(
        "contradicted at N = 2, 3 on this host", PaperVerdict.Reproduced, PaperVerdict.Contradicted, PaperVerdict.Contradicted,
        PaperVerdict.Open)]
    [InlineData("open", PaperVerdict.Reproduced, PaperVerdict.Open, PaperVerdict.DirectionOnly, PaperVerdict.NotTestable)]
    [InlineData("direction only", PaperVerdict.Reproduced, PaperVerdict.DirectionOnly, PaperVerdict.NotTestable)]
    [InlineData("reproduced", PaperVerdict.Reproduced, PaperVerdict.NotTestable)]
    [InlineData("not testable", PaperVerdict.NotTestable, PaperVerdict.NotTestable)]
    [InlineData("not testable")]
    [InlineData("not judged (quick)", PaperVerdict.NotJudged, PaperVerdict.NotTestable)]
    [InlineData("no difference", PaperVerdict.NoDifference, PaperVerdict.NoDifference)]
    public void The_weakest_testable_row_decides_and_a_contradiction_before_it(string text, params PaperVerdict[] rows)
    {
        var verdict = HypothesisVerdict.Of("H2", "", [.. rows.Select((row, i) => new RowVerdict(i + 1, row, ""))]);
        Assert.Equal(text, verdict.Text);
    }

    [Theory]
    [InlineData("reproduced", PaperVerdict.Reproduced, Direction.AsClaimed, Size.AsPublished)]
    [InlineData("direction only (other size)", PaperVerdict.DirectionOnly, Direction.AsClaimed, Size.Other)]
    [InlineData("direction only (too coarse)", PaperVerdict.DirectionOnly, Direction.AsClaimed, Size.TooCoarse)]
    [InlineData("contradicted (opposite)", PaperVerdict.Contradicted, Direction.Opposite, null)]
    [InlineData("contradicted (alike)", PaperVerdict.Contradicted, Direction.Alike, null)]
    [InlineData("no claim (opposite)", PaperVerdict.NotClaimed, Direction.Opposite, null)]
    [InlineData("no claim (as claimed)", PaperVerdict.NotClaimed, Direction.AsClaimed, null)]
    [InlineData("open", PaperVerdict.Open, Direction.Open, null)]
    [InlineData("not judged (quick)", PaperVerdict.NotJudged, null, null)]
    public void A_row_tells_both_answers(string text, PaperVerdict verdict, Direction? direction, Size? size) =>
        Assert.Equal(text, new RowVerdict(500, verdict, "") { Direction = direction, Size = size }.Text);

    [Fact]
    public void Levels_that_cannot_be_tested_for_different_reasons_each_say_theirs()
    {
        RowVerdict[] rows = [new(50, PaperVerdict.NotTestable, "the paper has no loss here"),
            new(500, PaperVerdict.NotTestable, "nothing was lost"), new(1_000, PaperVerdict.NotTestable, "nothing was lost")];
        Assert.Equal(
            "H1b (Pubsub loses less): not testable, at N = 50 the paper has no loss here; at N = 500, 1000 nothing was lost.",
            HypothesisVerdict.Of("H1b", "Pubsub loses less.", rows).Sentence);
    }

    [Fact]
    public void Rows_where_the_paper_claims_nothing_count_neither_for_nor_against()
    {
        RowVerdict[] rows = [new(50, PaperVerdict.NotClaimed, "") { IsClaimed = false, Direction = Direction.Opposite },
            new(100, PaperVerdict.NotJudged, "") { IsClaimed = false },
            new(500, PaperVerdict.DirectionOnly, "") { Direction = Direction.AsClaimed, Size = Size.Other }];
        Assert.Equal("direction only (other size)", HypothesisVerdict.Of("H2", "", rows).Text);
    }
}
