using System.Text.Json;
using System.Xml.Linq;
using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report;
using PubSubOverWs.Tests.Report.Standard;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Replication;

public sealed class FaultReportTests
{
    [Fact]
    public void A_report_of_a_fault_reads_as_it_was_reviewed() => Golden.Same("fault.golden.json", ReportFolder.Make(SmallFault.Folder));

    [Fact]
    public void The_prediction_and_its_outcome_stand_at_the_head()
    {
        var findings = Findings(SmallFault.Folder);
        Assert.StartsWith("This is a demonstration of a mechanism, not a replication of the paper", findings[0], StringComparison.Ordinal);
        Assert.StartsWith(
            "Under the fault restart the outcome is as predicted at 100 users, and H1b (pubsub loses less) holds: pubsub lost less",
            findings[1], StringComparison.Ordinal);
        Assert.Contains(
            findings,
            found =>
                found.StartsWith(
                    "Bytes to clients, calls to the queue and messages dropped by servers are not counted here", StringComparison.Ordinal));
    }

    [Fact]
    public void A_line_of_the_prediction_that_did_not_come_out_is_named()
    {
        var folder = SmallFault.With(SmallFault.Folder, Relays.Direct, row => SmallFault.Refusing(row, 200));
        Assert.StartsWith(
            "Under the fault restart the outcome is not as predicted: the loss of direct agrees with the offline windows as measured, "
                + "within a quarter (2000 of 20000 (10 %) lost, 3400 predicted: 0.588 of it, in iterations from 0.588 to 0.588)",
            Findings(folder)[1],
            StringComparison.Ordinal);
    }

    [Fact]
    public void No_guarantee_is_claimed_where_the_drain_is_not_proven()
    {
        var folder = SmallFault.With(SmallFault.Folder, Relays.PubSub, row => row with { DrainState = DrainState.NotProven });
        Assert.Contains(
            "the outcome is not testable: pubsub loses nothing that was acknowledged", Findings(folder)[1], StringComparison.Ordinal);
        Assert.Contains("0.0000 % (not claimed)", ReportFolder.Make(folder).Markdown, StringComparison.Ordinal);
        Assert.Contains(
            "pubsub 0 of 20000 (0.0000 %, not claimed: the queue was not shown to be empty).", ReportFolder.Make(folder).Markdown,
            StringComparison.Ordinal);
    }

    [Fact]
    public void An_invalid_run_has_no_outcome()
    {
        var folder = SmallFault.Folder with { Run = SmallFault.Folder.Run with { Checks = new RunChecks(ServersAlive: false) } };
        Assert.Contains("the outcome is not testable", string.Join(' ', Findings(folder)), StringComparison.Ordinal);
    }

    [Fact]
    public void A_run_that_was_cut_or_has_too_few_fault_actions_has_no_outcome()
    {
        Assert.Contains(
            "not testable: the run is incomplete",
            string.Join(' ', Findings(SmallFault.Folder with { Run = SmallFault.Folder.Run with { Complete = false } })),
            StringComparison.Ordinal);
        var rare = SmallFault.WithFaults(SmallFault.Folder, fault => fault with { FaultActions = 1 });
        Assert.Contains(
            "H1b (pubsub loses less) is not judged (quick): direct has 10 fault actions over the run, and 20 are needed",
            Findings(rare)[1], StringComparison.Ordinal);
        Assert.Contains("the outcome is not judged (quick): ", Findings(rare)[1], StringComparison.Ordinal);
        Assert.Contains("with 10 fault actions", Findings(rare)[^1], StringComparison.Ordinal);
    }

    [Fact]
    public void A_small_host_without_a_core_of_its_own_is_not_judged()
    {
        var folder = SmallFault.Of(SmallFault.Scenario with { Fault = new SmallHostFault() });
        folder = folder with { Run = folder.Run with { SetUp = folder.Run.SetUp with { NotPinnedBecause = "there is one core" } } };
        Assert.Contains("nothing was pinned: there is one core", Findings(folder)[1], StringComparison.Ordinal);
    }

    [Fact]
    public void The_prediction_is_that_of_the_run_and_a_judge_that_goes_by_others_says_so()
    {
        var run = SmallFault.Folder.Run;
        var before = new RegisteredPrediction("All is lost.", ["direct loses all"]);
        var markdown = ReportFolder.Make(SmallFault.Folder with { Run = run with { Prediction = before } }).Markdown;
        Assert.Contains(
            "Prediction, registered before the run: All is lost. (The program that makes this report judges differently: not by \"direct "
                + "loses all\"; by \"the loss of direct", markdown, StringComparison.Ordinal);
        Assert.Contains(
            "The record has no prediction", ReportFolder.Make(SmallFault.Folder with { Run = run with { Prediction = null } }).Markdown,
            StringComparison.Ordinal);
        Assert.DoesNotContain("makes this report", ReportFolder.Make(SmallFault.Folder).Markdown, StringComparison.Ordinal);
    }

    [Fact]
    public void Planned_actions_do_not_displace_unexpected_events()
    {
        var folder = SmallFault.Folder with
        {
            Events = [.. SmallFault.Folder.Events, new EventRow(TimeSpan.Zero, "fault-toxics", "direct", "{}"),
                new EventRow(TimeSpan.Zero, "fault-proxy-full", "direct", "of its own")]
        };
        var markdown = ReportFolder.Make(folder).Markdown;
        Assert.Contains("fault-proxy-full, direct: of its own", markdown, StringComparison.Ordinal);
        Assert.DoesNotContain("fault-kill-server, direct", markdown, StringComparison.Ordinal);
        Assert.DoesNotContain("fault-toxics", markdown, StringComparison.Ordinal);
    }

    [Fact]
    public void A_run_under_a_fault_is_not_compared_with_the_paper()
    {
        var markdown = ReportFolder.Make(SmallFault.Folder).Markdown;
        Assert.DoesNotContain("Notes on the paper", markdown, StringComparison.Ordinal);
        Assert.DoesNotContain("H2", markdown, StringComparison.Ordinal);
        using var report = JsonDocument.Parse(ReportFolder.Make(SmallFault.Folder).Json);
        Assert.Empty(report.RootElement.GetProperty("hypotheses").EnumerateArray());
    }

    [Fact]
    public void A_third_arm_stands_in_every_table_of_arms_and_in_the_figures()
    {
        var folder = SmallFault.Of(SmallFault.Scenario with
        { Fault = new OverloadFault(), Arms = Relays.Named(new OverloadFault().DefaultArms) });
        var files = ReportFolder.Make(folder);
        Assert.Equal(
            [Relays.Direct, Relays.Buffered, Relays.PubSub],
            JsonDocument.Parse(files.Json).RootElement.GetProperty("losses").EnumerateArray()
                .Select(row => row.GetProperty("arm").GetString()));
        Assert.Contains("direct+buffer 0 of 20000", Findings(folder)[2], StringComparison.Ordinal);
        Assert.Contains(">direct+buffer<", files.Html, StringComparison.Ordinal);
        Assert.Contains("direct sheds what a loss system sheds", Findings(folder)[1], StringComparison.Ordinal);
    }

    [Fact]
    public void Pairs_without_a_fault_report_the_bound_and_not_that_nothing_differs()
    {
        Assert.Contains(
            "and there is no fault", Findings(SmallFault.Of(SmallFault.Scenario with { Fault = FaultProfiles.None }))[0],
            StringComparison.Ordinal);
        var folder = SmallFault.With(
            SmallFault.Of(SmallFault.Scenario with { Fault = FaultProfiles.None }), Relays.Direct, row => SmallFault.Refusing(row, 0));
        Assert.Contains(
            "| 100 | direct loses nothing | as predicted | 0 of 20000 (0 %) lost; with 10 iterations at most 30.8 % of iterations lose "
                + "any (95 %) |", ReportFolder.Make(folder).Markdown, StringComparison.Ordinal);
        Assert.Contains(
            "H1b (pubsub loses less) is not testable: nothing was lost in either arm", Findings(folder)[1], StringComparison.Ordinal);
    }

    [Fact]
    public void Under_churn_the_closed_form_stands_beside_the_count()
    {
        var folder = SmallFault.Of(SmallFault.Scenario with { Fault = new ChurnFault(), Arrival = Arrival.Parse("spread:36s") });
        using var report = JsonDocument.Parse(ReportFolder.Make(folder).Json);
        var direct = report.RootElement.GetProperty("fault").GetProperty("levels")[0].GetProperty("arms")[0];
        Assert.Equal(2.2 / 3.2, direct.GetProperty("closedForm").GetDouble(), 9);
        Assert.Contains("fault,100,direct,predictedLost,3400,messages\n", ReportFolder.Make(folder).Csv, StringComparison.Ordinal);
    }

    [Fact]
    public void Each_fault_action_is_marked_in_the_time_line_at_its_beginning_and_end() =>
        Assert.Equal(120, XDocument.Parse(ReportFolder.Make(SmallFault.Folder).Html["<!DOCTYPE html>\n".Length..])
            .Descendants("svg").Where(svg => svg.Attribute("id")?.Value.StartsWith("timeline", StringComparison.Ordinal) == true)
            .Descendants("line").Count(line => line.Attribute("class")!.Value == "border"));

    [Fact]
    public void A_run_without_faults_has_no_fault_section()
    {
        var files = ReportFolder.Make(SmallRun.Folder);
        Assert.DoesNotContain("The fault", files.Markdown, StringComparison.Ordinal);
        Assert.DoesNotContain("\"fault\"", files.Json, StringComparison.Ordinal);
        Assert.DoesNotContain("\nfault,", files.Csv, StringComparison.Ordinal);
    }

    private static string[] Findings(RunFolder folder)
    {
        using var report = JsonDocument.Parse(ReportFolder.Make(folder).Json);
        return [.. report.RootElement.GetProperty("findings").EnumerateArray().Select(one => one.GetString()!)];
    }
}
