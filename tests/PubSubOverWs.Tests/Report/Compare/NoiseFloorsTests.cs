using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report;
using PubSubOverWs.Report.Compare;
using PubSubOverWs.Tests.Record;
using PubSubOverWs.Tests.Report.Standard;

namespace PubSubOverWs.Tests.Report.Compare;

public sealed class NoiseFloorsTests
{
    private static readonly OneWayScenario OfDirect = SmallRun.Scenario with { Arms = Relays.AgainstItself(Relays.Direct), Gates = [] };

    // The first instance reads what SmallRun does; the second another pattern of about the same mean.
    private static readonly RunFolder Quiet = With(row => row.Iteration % 4);

    [Fact]
    public void Two_instances_that_differ_by_chance_alone_pass_and_give_the_noise_floor()
    {
        var found = NoiseFloors.FoundBy(Quiet)!;

        Assert.Equal((Relays.Direct, true), (found.Server, found.Passes));
        Assert.Equal(0, found.Rejections);
        // Latency at two levels: bytes and losses are alike in both, which is no test.
        Assert.Equal((2, 1), (found.Tests, found.MostRejections));
        // The upper end of the intervals, a factor: it is above the ratio of the means.
        Assert.InRange(found.Latency!.Value, 1.0001, 1.02);
        Assert.Equal((1, 0), (found.Bytes, found.Loss));
    }

    [Fact]
    public void Two_instances_that_differ_at_every_level_fail()
    {
        var found = NoiseFloors.FoundBy(With(row => 50 + (row.Iteration % 5)))!;

        Assert.Equal((2, 2, false), (found.Tests, found.Rejections, found.Passes));
        // About 15 ms to 10.
        Assert.InRange(found.Latency!.Value, 1.49, 1.5);
    }

    [Fact]
    public void Where_nothing_could_be_tested_nothing_passes() =>
        Assert.Equal((0, false), (NoiseFloors.FoundBy(SmallRun.Of(OfDirect))!.Tests, NoiseFloors.FoundBy(SmallRun.Of(OfDirect))!.Passes));

    [Fact]
    public void The_report_of_an_AA_run_judges_the_set_up_and_no_hypothesis_and_names_the_paper_nowhere()
    {
        var files = ReportFolder.Make(Quiet);

        Assert.StartsWith("# paper, A/A of direct, ", files.Markdown, StringComparison.Ordinal);
        Assert.Contains(
            "0 of 2 tests reject at 0.05, and chance explains up to 1, so the set-up passes.", files.Markdown, StringComparison.Ordinal);
        Assert.Contains("| users | direct-a measured | direct-b measured | n | R measured |", files.Markdown, StringComparison.Ordinal);
        Assert.DoesNotContain("direct published", files.Markdown, StringComparison.Ordinal);
        Assert.DoesNotContain("pubsub", files.Markdown, StringComparison.Ordinal);
        Assert.DoesNotContain("published values", files.Html, StringComparison.Ordinal);
        using var json = JsonDocument.Parse(files.Json);
        Assert.Equal(0, json.RootElement.GetProperty("hypotheses").GetArrayLength());
        Assert.Equal(2, json.RootElement.GetProperty("againstItself").GetProperty("tests").GetInt32());
    }

    [Fact]
    public void A_run_that_is_compared_with_a_noise_floor_says_where_the_floor_is_from()
    {
        var noise = NoiseFloors.From(SmallRun.Folder, [("aa-direct", Quiet)]);
        var report = ReportFolder.Make(SmallRun.Folder with { Noise = noise }).Markdown;

        Assert.Equal(NoiseFloors.FoundBy(Quiet), Assert.Single(noise.Sources).Found);
        Assert.Contains("| aa-direct | direct | 2026-01-02 03:04:05 UTC | 0123456789 | 2 | 0 | 1 |", report, StringComparison.Ordinal);
        Assert.Contains("no smaller effect is called reproduced", report, StringComparison.Ordinal);
        Assert.DoesNotContain("noise floor not measured", report, StringComparison.Ordinal);
    }

    [Fact]
    public void On_a_set_up_that_failed_nothing_is_reproduced()
    {
        var noise = NoiseFloors.From(SmallRun.Folder, [("loud", With(row => 50 + (row.Iteration % 5)))]);

        Assert.Contains(
            "the set-up failed its A/A run", ReportFolder.Make(SmallRun.Folder with { Noise = noise }).Json,
                StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void Only_an_AA_run_of_the_same_set_up_says_anything_of_its_noise()
    {
        Refused("is no A/A run", SmallRun.Folder, SmallRun.Folder);
        Refused("has its own noise floor", Quiet, Quiet);
        Refused("aa is incomplete", SmallRun.Folder, Quiet with { Run = Quiet.Run with { Complete = false } });
        Refused("aa is invalid", SmallRun.Folder, Quiet with { Run = Quiet.Run with { Checks = new RunChecks(ServersAlive: false) } });
        Refused("processor: A processor in this run, Another in aa", SmallRun.Folder,
            Quiet with { Run = Quiet.Run with { Machine = Quiet.Run.Machine with { Cpu = "Another" } } });
        Refused("commit: 0123456789abcdef in this run, other in aa", SmallRun.Folder,
            Quiet with { Run = Quiet.Run with { Machine = Quiet.Run.Machine with { Commit = "other" } } });
        Refused("arrival: spread:2s in this run, burst in aa", SmallRun.Of(SmallRun.Scenario with { Arrival = Arrival.Parse("spread:2s") }),
            Quiet);
        Refused("has no level of 7 users", SmallRun.Of(SmallRun.Scenario with { Users = [7, 50] }), Quiet);
    }

    [Fact]
    public void A_run_of_servers_that_were_there_or_of_several_nodes_has_another_noise_floor()
    {
        Refused("servers: already there in this run, started by the run in aa",
            SmallRun.Folder with { Run = SmallRun.Folder.Run with { SetUp = SmallRun.Folder.Run.SetUp with { OwnServers = false } } },
            Quiet);
        Refused("pubsubNodes: 3 in this run, 1 in aa", SmallRun.Of(SmallRun.Scenario with { PubSubNodes = 3 }),
            SmallRun.Of(SmallRun.Scenario with { Arms = Relays.AgainstItself(Relays.PubSub), Gates = [] }));
    }

    [Fact]
    public void Losses_that_differ_between_two_instances_are_a_floor_in_percentage_points()
    {
        var folder = SmallRun.Of(OfDirect);
        var rows = folder.Rows.Select(row => row is { Arm: "direct-b", Users: 500, WarmUp: false }
            ? row with
            { Buckets = new Buckets { Attempts = 500, Delivered = 495, LostUnacknowledged = 5, Causes = new CauseCounts(Deadline: 5) } }
            : row);

        // The same difference in every block.
        Assert.Equal(1, NoiseFloors.FoundBy(folder with { Rows = [.. rows] })!.Loss!.Value, 1e-9);
    }

    private static void Refused(string why, RunFolder run, RunFolder source) =>
        Assert.Contains(
            why, Assert.Throws<RecordException>(() => NoiseFloors.From(run, [("aa", source)])).Message, StringComparison.Ordinal);

    private static RunFolder With(Func<IterationRow, int> noise)
    {
        var folder = SmallRun.Of(OfDirect);
        return folder with
        {
            Rows = [.. folder.Rows.Select(row =>
                row.Arm == "direct-b" ? row with { FromSent = Some.Latency(row.Users, 10_000 + (noise(row) * 100)) } : row)]
        };
    }
}
