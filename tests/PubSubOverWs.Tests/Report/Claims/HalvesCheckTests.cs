using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Report;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Tests.Record;
using PubSubOverWs.Tests.Report.Standard;

namespace PubSubOverWs.Tests.Report.Claims;

public sealed class HalvesCheckTests
{
    [Fact]
    public void An_arm_that_still_changes_is_told_in_the_checks_and_the_findings_and_marked_in_the_table()
    {
        var folder = Warming(Relays.PubSub, 500);
        var check = Validity.Check(folder).Single(one => one.Name == HalvesCheck.Name);
        var report = ReportFolder.Make(folder).Markdown;

        Assert.Equal((null, true), (check.Holds, check.IsWarning));
        Assert.StartsWith("NOT STEADY: pubsub at 500 had ", check.Detail, StringComparison.Ordinal);
        Assert.True(Validity.IsValid(folder));
        Assert.Contains("may not have been steady: arms steady while they were measured: NOT STEADY: pubsub at 500", report,
            StringComparison.Ordinal);
        Assert.Contains($"){HalvesCheck.Mark} | 30 |", report, StringComparison.Ordinal);
        Assert.Equal(2, report.Split(HalvesCheck.Mark.Trim()).Length - 1);
    }

    [Fact]
    public void Arms_that_were_steady_are_counted()
    {
        var check = Validity.Check(SmallRun.Folder).Single(one => one.Name == HalvesCheck.Name);
        Assert.Equal((true, "in none of 4 cells do the halves of the blocks differ"), (check.Holds, check.Detail));
    }

    // The first three of the six iterations of each block are slower.
    private static RunFolder Warming(string arm, int users) => SmallRun.Folder with
    {
        Rows = [.. SmallRun.Folder.Rows.GroupBy(row => (row.Arm, row.Users, row.Block, row.WarmUp)).SelectMany(block =>
            block.Select((row, i) => row.Arm == arm && row.Users == users && !row.WarmUp && i < 3
                ? row with { FromSent = Some.Latency(users, 30_000 + (row.Iteration % 4 * 100)) }
                : row))],
    };
}
