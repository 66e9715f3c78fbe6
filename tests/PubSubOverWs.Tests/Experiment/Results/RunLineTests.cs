using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Results;
using PubSubOverWs.Tests.Experiment.Compare;
using PubSubOverWs.Tests.LoadTest.Network.Toxics;

namespace PubSubOverWs.Tests.Experiment.Results;

public sealed class RunLineTests
{
    private static readonly RunFolder Run = MeasuredRun.Of(MeasuredRun.Before);

    [Fact]
    public void A_run_is_named_with_its_size_and_its_first_finding() =>
        Assert.Equal(
            "paper (first): complete, valid; direct, pubsub; n 9 in 3 blocks at 2 levels; Nothing was lost: direct 0 of 9450, pubsub 0 "
                + "of 9450 messages.",
            RunLine.Of(Run with { Run = Run.Run with { Label = "first" } }));

    [Fact]
    public void An_incomplete_or_invalid_run_says_so_and_n_counts_its_recorded_iterations()
    {
        var cut = Run with
        {
            Run = Run.Run with { Complete = false, Checks = Run.Run.Checks with { ServersAlive = false } },
            Rows = [.. Run.Rows.Take(9)]
        };
        Assert.StartsWith(
            "paper: INCOMPLETE, INVALID; direct, pubsub; n 1 to 3 in 3 blocks at 2 levels; ", RunLine.Of(cut), StringComparison.Ordinal);
    }

    [Fact]
    public void A_run_without_a_measured_row_says_so() =>
        Assert.EndsWith("n 0 in 3 blocks at 2 levels; Nothing was measured.", RunLine.Of(Run with { Rows = [] }), StringComparison.Ordinal);
}
