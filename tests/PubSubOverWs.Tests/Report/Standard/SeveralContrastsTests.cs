using System.Text.Json;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Gates;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Standard;
using PubSubOverWs.Report.Statistics;
using PubSubOverWs.Tests.Report.Claims;

namespace PubSubOverWs.Tests.Report.Standard;

/// <summary>The standard report of an experiment with several contrasts, and claims.</summary>
public class SeveralContrastsTests
{
    [Fact]
    public void Holms_correction_is_over_the_levels_of_all_contrasts()
    {
        var table = MetricComparisons.Compute(Rooms.Folder(small: 1.01, large: 1.02), MessageMetrics.Latency);

        Assert.Equal([Rooms.Crowding, Rooms.Filling], table.Contrasts.Select(one => one.Contrast));
        Comparison[] rows = [.. table.Contrasts.SelectMany(one => one.Rows)];
        Assert.Equal(4, rows.Length);
        Assert.Equal(
            Holm.Adjust([.. rows.Select(row => row.BlockMeans!.Test?.P)]), rows.Select(row => row.BlockMeans!.HolmP));
    }

    [Fact]
    public void Contrasts_whose_arms_were_not_both_run_are_left_out()
    {
        Assert.Equal([Rooms.Filling], Rooms.Folder(arms: ["empty", "crowded"]).Run.Scenario.Contrasts);
        Assert.Equal([Rooms.Crowding], Rooms.Folder(arms: ["empty"]).Run.Scenario.Contrasts);
    }

    [Fact]
    public void The_report_has_each_contrast_under_its_metric_and_every_arm_at_a_glance()
    {
        var report = StandardReport.Make(Rooms.Folder(), Rooms.Analysis);

        Assert.Contains(
            "mean latency: crowded was 1.20 times full; of 2 judged [levels](#terms) 2 differ", report.Markdown, StringComparison.Ordinal);
        Assert.Contains("### crowded against full", report.Markdown, StringComparison.Ordinal);
        Assert.Contains("### crowded against empty", report.Markdown, StringComparison.Ordinal);
        Assert.Matches(@"\| 10 \| empty \| 20 \|", report.Markdown);
        Assert.Contains("id=\"mean-latency-full-crowded-drawing\"", report.Html, StringComparison.Ordinal);
        Assert.Contains("id=\"mean-latency-empty-crowded-drawing\"", report.Html, StringComparison.Ordinal);

        var lines = report.Csv.Split('\n');
        Assert.Single(lines, line => line == "mean latency,10,crowded,,count,20,iterations");
        Assert.Single(lines, line => line.StartsWith("mean latency,10,crowded,empty,ratio,1.2", StringComparison.Ordinal));
        Assert.All(lines.SkipLast(1), line => Assert.Equal(7, Csv.Cells(line)!.Count));
    }

    [Fact]
    public void The_report_has_the_claims_and_their_verdicts_in_all_four_formats()
    {
        var report = StandardReport.Make(Rooms.Folder(large: 1.8), Rooms.Analysis);

        Assert.Contains("- Claim half (required): refuted.", report.Markdown, StringComparison.Ordinal);
        Assert.Contains("## Claims made before the run", report.Markdown, StringComparison.Ordinal);
        Assert.Matches(@"\| half \| a crowd costs at most half \| yes \| \*\*refuted\*\* \| 90 m2: R is 1\.8", report.Markdown);
        Assert.Contains("Claims made before the run", report.Html, StringComparison.Ordinal);
        Assert.Contains("claim half,90,,,verdict,refuted,", report.Csv, StringComparison.Ordinal);

        using var json = JsonDocument.Parse(report.Json);
        var claim = json.RootElement.GetProperty("claims")[0];
        Assert.Equal("refuted", claim.GetProperty("word").GetString());
        Assert.False(claim.GetProperty("holds").GetBoolean());
        Assert.Equal(90, claim.GetProperty("levels")[1].GetProperty("level").GetInt32());
        var row = json.RootElement.GetProperty("tables")[0].GetProperty("rows")[0];
        Assert.Equal("full", row.GetProperty("contrast").GetProperty("first").GetString());
    }

    [Fact]
    public void A_level_that_was_driven_to_a_limit_on_purpose_says_so_in_place_of_a_verdict()
    {
        var report = StandardReport.Make(Rooms.AtTheirLimit(Rooms.Folder(), level: 90), Rooms.Analysis);

        Assert.Matches(@"\| 90 \| 20 \|.*\| a room without air \|
", report.Markdown);
        Assert.Contains("of 1 judged [level](#terms) 1 differ", report.Markdown, StringComparison.Ordinal);
    }

    [Fact]
    public void An_experiment_may_add_parts_of_its_own()
    {
        var report = StandardReport.Make(
            Rooms.Folder(), Rooms.Analysis with { Sections = folder => [new Heading(2, $"Of {folder.Run.Scenario.Name} alone")] });

        Assert.Contains("## Of rooms alone", report.Markdown, StringComparison.Ordinal);
    }

    [Fact]
    public void A_refuted_required_claim_is_a_failure_in_junit_and_an_error_on_actions()
    {
        var claims = new ClaimEvidence(Rooms.Folder(large: 1.8)).Judge(Rooms.Analysis.Claims);

        var junit = GateJUnit.Write("rooms", [], [], claims);
        Assert.Contains("tests=\"3\" failures=\"1\"", junit, StringComparison.Ordinal);
        Assert.Contains("name=\"claim half\"", junit, StringComparison.Ordinal);
        Assert.StartsWith(
            "::error title=Required claim::half (a crowd costs at most half): refuted, 90 m2: R is 1.8",
            Assert.Single(GateSummary.Annotations([], [], claims)), StringComparison.Ordinal);
        Assert.Contains(
            "| **refuted** | a crowd costs at most half |", GateSummary.Markdown("rooms", [], [], claims), StringComparison.Ordinal);
    }

    [Fact]
    public void Gates_can_name_an_arm_with_a_hyphen() => Assert.Equal(
        "The gate 'full-of.loss == 0' names 'full-of', which is no arm",
        Assert.Throws<GateException>(() => Gate.Parse("full-of.loss == 0", Rooms.Kind.Empty())).Message.Split(':')[0]);
}
