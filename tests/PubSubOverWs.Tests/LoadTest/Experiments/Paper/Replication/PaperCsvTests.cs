using System.Globalization;
using System.Text.Json;
using PubSubOverWs.Report;
using PubSubOverWs.Tests.LoadTest.Harness.Network;
using PubSubOverWs.Tests.Report.Standard;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Replication;

public sealed class PaperCsvTests
{
    private static readonly string[][] Rows = [.. ReportFolder.Make(SmallRun.Folder).Csv.TrimEnd('\n').Split('\n')
        .Select(line => line.Split(','))];

    [Fact]
    public void Every_row_names_its_table_level_arm_metric_and_unit()
    {
        Assert.Equal(["table", "users", "arm", "metric", "value", "unit"], Rows[0]);
        Assert.All(Rows, row => Assert.Equal(6, row.Length));
        Assert.Distinct(Rows.Select(row => string.Join('|', row[..4])));
    }

    [Fact]
    public void Numbers_are_those_of_report_json_digit_by_digit()
    {
        using var json = JsonDocument.Parse(ReportFolder.Make(SmallRun.Folder).Json);
        var measured = json.RootElement.GetProperty("latency").GetProperty("rows")[1].GetProperty("measured");
        Assert.Equal(measured.GetProperty("first").GetProperty("mean").GetRawText(), Value("latency", "500", "direct", "mean"));
        Assert.Equal(
            measured.GetProperty("iterations").GetProperty("test").GetProperty("t").GetRawText(), Value("latency", "500", "", "t"));
        Assert.Equal(measured.GetProperty("iterations").GetProperty("holmP").GetRawText(), Value("latency", "500", "", "holmP"));
    }

    [Fact]
    public void Missing_values_have_no_row()
    {
        Assert.DoesNotContain(Rows, row => row[4].Length == 0);
        Assert.DoesNotContain(Rows[1..], row => row[0] == "bytes" && row[3] == "publishedMean" && row[4] == "0");
        Assert.All(
            Rows[1..].Where(row => row[3].Split(' ')[0] is not ("verdict" or "direction" or "size")),
            row => Assert.True(double.IsFinite(double.Parse(row[4], CultureInfo.InvariantCulture))));
    }

    [Fact]
    public void Verdicts_are_written_as_words() => Assert.Equal(
        ("direction-only", "as-claimed", "other"),
        (Value("latency", "500", "", "verdict H2"), Value("latency", "500", "", "direction H2"), Value("latency", "500", "", "size H2")));

    private static string Value(string table, string users, string arm, string metric) =>
        Rows.Single(row => row.Take(4).SequenceEqual([table, users, arm, metric]))[4];
}
