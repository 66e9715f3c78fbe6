using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Report;
using PubSubOverWs.Report.Statistics;
using PubSubOverWs.Tests.Record;
using PubSubOverWs.Tests.Report.Standard;

namespace PubSubOverWs.Tests.Report;

public sealed class RunsTogetherTests
{
    [Fact]
    public void Each_run_is_shown_with_its_ratio_and_interval_in_the_order_in_which_they_started()
    {
        var shown = RunsTogether.Write([Run("third", 130), Run("first", 0), Run("second", 60, slower: 5)]);

        Assert.Contains(
            "| 1 | first | 2026-01-02 03:04:05 UTC |\n| 2 | second | 2026-01-02 04:04:05 UTC |\n| 3 | third |", shown,
            StringComparison.Ordinal);
        Assert.Matches(@"\| level \| run 1 \| run 2 \| run 3 \| range \|\n.*\n\| 50 \| 1\.98\d \([^|]*\) \| 4\.9", shown);
    }

    [Fact]
    public void The_range_is_the_smallest_interval_that_holds_all_of_them()
    {
        Assert.Equal(new Interval(1.2, 2.5), RunsTogether.RangeOf([new Interval(1.5, 2.5), new Interval(1.2, 2), new Interval(1.3, 1.4)]));
        Assert.Null(RunsTogether.RangeOf([new Interval(1.5, 2.5), null]));
    }

    [Fact]
    public void A_verdict_holds_where_it_holds_in_each()
    {
        var alike = RunsTogether.Write([Run("a", 0), Run("b", 60), Run("c", 120)]);
        var other = RunsTogether.Write([Run("a", 0), Run("b", 60, slower: 0.5), Run("c", 120)]);

        Assert.Contains("| H2 | direction only (other size) | direction only (other size) | direction only (other size) | "
            + "**direction only (other size)** |", alike, StringComparison.Ordinal);
        Assert.Contains(
            "| H2 | direction only (other size) | contradicted at N = 500 on this host | direction only (other size) | not the same |",
            other, StringComparison.Ordinal);
    }

    [Fact]
    public void Runs_that_are_not_draws_of_one_result_are_refused()
    {
        Refused("c started 59 minutes after b", Run("a", 0), Run("b", 60), Run("c", 119));
        Refused("c started 0 minutes after c", Run("a", 0), Run("c", 60), Run("c", 60));
        Refused("commit: 0123456789abcdef in a, other in b", Run("a", 0), Of(Run("b", 60), run => run with
        { Machine = run.Machine with { Commit = "other" } }), Run("c", 120));
        Refused("the commit of a is not known", Of(Run("a", 0), Unknown), Of(Run("b", 60), Unknown), Of(Run("c", 120), Unknown));
        Refused("b is incomplete", Run("a", 0), Of(Run("b", 60), run => run with { Complete = false }), Run("c", 120));
        Refused("processor: A processor in a, Another in c", Run("a", 0), Run("b", 60), Of(Run("c", 120), run => run with
        { Machine = run.Machine with { Cpu = "Another" } }));
    }

    private static RunRecord Unknown(RunRecord run) => run with { Machine = run.Machine with { Commit = null } };

    private static (string Name, RunFolder Folder) Run(string name, int minutes, double slower = 2)
    {
        var run = SmallRun.Folder.Run with { Started = SmallRun.Folder.Run.Started.AddMinutes(minutes) };
        return (name, SmallRun.Folder with
        {
            Run = run,
            Rows = [.. SmallRun.Folder.Rows.Select(row => row.Arm == Relays.PubSub
                ? row with { FromSent = Some.Latency(row.Users, (int)(10_000 * slower) + (row.Iteration % 5 * 100)) }
                : row)],
        });
    }

    private static (string Name, RunFolder Folder) Of((string Name, RunFolder Folder) run, Func<RunRecord, RunRecord> change) =>
        (run.Name, run.Folder with { Run = change(run.Folder.Run) });

    private static void Refused(string why, params (string Name, RunFolder Folder)[] runs) => Assert.Contains(
        why, Assert.Throws<RecordException>(() => RunsTogether.Write(runs)).Message, StringComparison.Ordinal);
}
