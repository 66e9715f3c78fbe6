using System.Text.Json;
using System.Xml.Linq;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Latency;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Report;
using PubSubOverWs.Report.Standard;
using PubSubOverWs.Report.Standard.Rows;
using PubSubOverWs.Tests.LoadTest.Harness.Network;
using PubSubOverWs.Tests.PubSubServer;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.Report.Standard;

public sealed class CurveTests
{
    private static readonly RunFolder Folder = SmallRun.Folder with
    {
        Latency = SmallRun.Folder.Rows.Where(row => !row.WarmUp).ToDictionary(row => (row.Arm, row.Iteration, "message"), Distributed),
    };

    private static readonly ReportFiles Files = ReportFolder.Make(Folder);

    [Fact]
    public void Percentiles_are_those_of_all_messages_and_not_of_any_iteration()
    {
        var curve = Curve(Relays.Direct, 500)!;
        var all = Distribution.Merge(
            Folder.Rows.Where(row => row.Counts && row.Arm == Relays.Direct && row.Users == 500)
                .Select(row => Folder.LatencyOf(row)!));
        Assert.Equal(15_000, curve.Messages);
        Assert.Equal(["p50", "p90", "p99", "p99.9"], curve.Percentiles.Select(one => one.Name));
        Assert.All(curve.Percentiles, one => Assert.Equal(all.ValueAt(one.Percent / 100)!.Value.TotalMilliseconds, one.Ms));
        Assert.All(curve.Percentiles,
            one => Assert.True(one.Ms95 is { } interval && interval.Contains(one.Ms) && interval.High > interval.Low));
    }

    [Fact]
    public void A_percentile_with_fewer_than_ten_messages_beyond_is_not_given() =>
        Assert.Equal(["p50", "p90", "p99"], Curve(Relays.Direct, 50)!.Percentiles.Select(one => one.Name));

    [Fact]
    public void A_curve_rises_to_where_one_message_is_left()
    {
        var points = Curve(Relays.PubSub, 50)!.Points;
        Assert.Equal([1, 1.5, 2, 3, 5, 7, 10], points.Take(7).Select(point => point.OneIn));
        Assert.Equal(1500, points[^1].OneIn);
        Assert.All(points.Zip(points.Skip(1)), pair => Assert.True(pair.First.Ms <= pair.Second.Ms));
    }

    [Fact]
    public void One_iteration_without_its_distribution_leaves_a_level_without_a_curve()
    {
        var lacking = Folder.Rows.First(row => row.Counts && row.Arm == Relays.Direct && row.Users == 50);
        var folder = Folder with
        { Latency = Folder.Latency.Where(one => one.Key != (lacking.Arm, lacking.Iteration, "message")).ToDictionary() };
        Assert.Null(CurveBuilder.From(folder, ArmLevel.From(folder, Relays.Direct, Some.Level(50))));
        Assert.NotNull(CurveBuilder.From(folder, ArmLevel.From(folder, Relays.PubSub, Some.Level(50))));
    }

    [Fact]
    public void The_figure_draws_each_curve_and_an_interval_at_each_percentile()
    {
        var drawings = Page(Files).Descendants("figure").Single(one => one.Attribute("id")!.Value == "percentiles").Descendants("svg")
            .Where(one => one.Attribute("id") is not null).ToArray();
        Assert.Equal(["percentiles-50", "percentiles-500"], drawings.Select(one => one.Attribute("id")!.Value));
        Assert.Equal([3, 4], drawings.Select(one => Marks(one, "interval first")));
        Assert.All(drawings, one => Assert.Equal((1, 1), (Marks(one, "curve first"), Marks(one, "mark second hollow"))));
        Assert.Contains("direct, 15000 messages: p50 ", drawings[1].Element("desc")!.Value, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_number_of_the_figure_is_in_report_json_and_every_percentile_in_report_csv_and_in_report_md()
    {
        using var json = JsonDocument.Parse(Files.Json);
        var row = json.RootElement.GetProperty("latencyShapes").EnumerateArray()
            .Single(one => one.GetProperty("users").GetInt32() == 500 && one.GetProperty("arm").GetString() == "pubsub");
        var p99 = row.GetProperty("curve").GetProperty("percentiles")[2];
        Assert.Equal(Curve(Relays.PubSub, 500)!.Points.Count, row.GetProperty("curve").GetProperty("points").GetArrayLength());
        Assert.Contains($"latencyCurves,500,pubsub,p99,{p99.GetProperty("ms").GetRawText()},ms\n", Files.Csv, StringComparison.Ordinal);
        Assert.Contains(
            $"latencyCurves,500,pubsub,p99 95High,{p99.GetProperty("ms95").GetProperty("high").GetRawText()},ms\n", Files.Csv,
            StringComparison.Ordinal);
        Assert.Contains("| users | arm | messages | p50 | 95 % |", Files.Markdown, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_distributions_a_report_says_nothing_of_them()
    {
        var files = ReportFolder.Make(SmallRun.Folder);
        Assert.DoesNotContain("\"curve\"", files.Json, StringComparison.Ordinal);
        Assert.DoesNotContain("latencyCurves", files.Csv, StringComparison.Ordinal);
        Assert.DoesNotContain("over all messages", files.Markdown, StringComparison.Ordinal);
    }

    private static LatencyCurve? Curve(string arm, int users) => CurveBuilder.From(Folder, ArmLevel.From(Folder, arm, Some.Level(users)));

    private static Distribution Distributed(IterationRow row)
    {
        var histogram = new LatencyHistogram();
        for (var i = 1; i <= row.Users; i++)
            Assert.True(histogram.TryRecord(TimeSpan.FromMicroseconds(row.FromSent.Mean!.Value + (i * i % 7919))));
        return Distribution.From(histogram);
    }

    private static int Marks(XElement drawing, string style) =>
        drawing.Descendants().Count(one => (string?)one.Attribute("class") == style);

    private static XElement Page(ReportFiles files) => XDocument.Parse(files.Html["<!DOCTYPE html>\n".Length..]).Root!;
}
