using PubSubOverWs.Experiment.Experiments.Replication;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Tests.Experiment.Experiments.Replication;

/// <summary>The code of docs/method.md, branch by branch.</summary>
public sealed class PublishedClaimTests
{
    private static readonly PublishedClaim Higher = new(1.02, true, 0.01, 1);
    private static readonly PublishedClaim Lower = new(0.98, true, 0.01, 1);
    private static readonly PublishedClaim Same = new(1, false, 0.01, 0.8);

    [Theory]
    // Significant in the paper, and here, with the same sign.
    [InlineData("higher", 0.01, 1, 1.011, 1.03, 1.011, 1.03, PaperVerdict.Reproduced)]
    [InlineData("higher", 0.01, 1, 1.02, 1.03, 1.02, 1.03, PaperVerdict.Reproduced)]
    [InlineData("higher", 0.01, 1, 2.50, 2.70, 2.50, 2.70, PaperVerdict.DirectionOnly)]
    [InlineData("higher", 0.04999, 1, 1.001, 1.015, 1.002, 1.014, PaperVerdict.DirectionOnly)]
    [InlineData("lower", 0.01, -1, 0.97, 0.99, 0.97, 0.99, PaperVerdict.Reproduced)]
    // With the other sign.
    [InlineData("higher", 0.01, -1, 0.97, 0.99, 0.97, 0.99, PaperVerdict.Contradicted)]
    [InlineData("lower", 0.01, 1, 1.01, 1.03, 1.01, 1.03, PaperVerdict.Contradicted)]
    // Within the margin: alike, whatever its sign and its p.
    [InlineData("higher", 0.001, 1, 1.001, 1.005, 1.001, 1.005, PaperVerdict.Contradicted)]
    [InlineData("higher", 0.05, 1, 0.999, 1.009, 0.9999, 1.008, PaperVerdict.Contradicted)]
    [InlineData("higher", 0.50, 1, 0.99, 1.011, 0.991, 1.0099, PaperVerdict.Contradicted)]
    // Neither.
    [InlineData("higher", 0.50, 1, 0.99, 1.011, 0.991, 1.0100, PaperVerdict.Inconclusive)]
    [InlineData("higher", 0.05, 1, 0.90, 1.10, 0.95, 1.05, PaperVerdict.Inconclusive)]
    // Not significant in the paper.
    [InlineData("same", 0.50, 1, 0.99, 1.009, 0.995, 1.005, PaperVerdict.NoDifference)]
    [InlineData("same", 0.001, 1, 1.001, 1.003, 1.001, 1.003, PaperVerdict.NoDifference)]
    [InlineData("same", 0.01, 1, 1.01, 1.03, 1.012, 1.028, PaperVerdict.Contradicted)]
    [InlineData("same", 0.01, -1, 0.97, 0.99, 0.972, 0.988, PaperVerdict.Contradicted)]
    [InlineData("unseen", 0.01, 1, 1.01, 1.03, 1.012, 1.028, PaperVerdict.NotSeenByPaper)]
    [InlineData("unseen", 0.01, -1, 0.97, 0.99, 0.972, 0.988, PaperVerdict.NotSeenByPaper)]
    [InlineData("unseen", 0.50, 1, 0.99, 1.009, 0.995, 1.005, PaperVerdict.NoDifference)]
    [InlineData("same", 0.01, 1, 1.009, 1.03, 1.011, 1.028, PaperVerdict.Inconclusive)]
    [InlineData("same", 0.05, 1, 1.01, 1.03, 1.012, 1.028, PaperVerdict.Inconclusive)]
    public void Every_branch_decides_as_written(
        string claim, double holmP, double t, double low95, double high95, double low90, double high90, PaperVerdict verdict)
    {
        var evidence = new Evidence
        {
            Test = new TTest(t, 10, holmP),
            HolmP = holmP,
            Ratio95 = new Interval(low95, high95),
            Ratio90 = new Interval(low90, high90),
        };
        Assert.Equal(
            verdict,
            (claim switch { "higher" => Higher, "lower" => Lower, "same" => Same, _ => Same with { Power = 0.79 } }).Decide(evidence));
    }

    [Fact]
    public void Without_an_interval_nothing_is_reproduced_and_no_absence_shown()
    {
        var significant = new Evidence { Test = new TTest(1, 10, 0.01), HolmP = 0.01 };
        Assert.Equal(PaperVerdict.DirectionOnly, Higher.Decide(significant));
        Assert.Equal(PaperVerdict.Inconclusive, Same.Decide(significant));
        Assert.Equal(PaperVerdict.Inconclusive, Higher.Decide(new Evidence()));
    }
}
