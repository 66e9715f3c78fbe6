using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Report;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Tests.Report.Standard;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Replication;

public sealed partial class PaperJsonTests
{
    public static TheoryData<string> Kinds => ["paper", "A/A", "held against noise", "fault"];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Every_number_in_a_table_or_a_drawing_of_the_page_is_in_report_json(string kind)
    {
        var files = ReportFolder.Make(kind switch
        {
            "A/A" => SmallRun.Of(SmallRun.Scenario with { Arms = Relays.AgainstItself(Relays.PubSub), Gates = [] }),
            "held against noise" =>
                SmallRun.Folder with
                {
                    Noise = new NoiseFloor(
                        [new("aa", DateTimeOffset.UnixEpoch, "0123", new SelfComparison(Relays.Direct, 6, 1, 2, 0.25, 0.0814, 0.0007))])
                    { RunStarted = SmallRun.Folder.Run.Started },
                },
            "fault" => SmallFault.Folder,
            _ => SmallRun.Folder,
        });
        using var json = JsonDocument.Parse(files.Json);
        var known = Words(json.RootElement).SelectMany(Spelled).ToHashSet(StringComparer.Ordinal);
        var page = XDocument.Parse(files.Html["<!DOCTYPE html>\n".Length..]);

        var cells = page.Descendants("tbody").Descendants().Where(one => one.Name.LocalName is "td" or "th")
            .Concat(page.Descendants("desc")).Select(one => one.Value);
        var unknown = cells.SelectMany(cell => Number().Matches(cell).Select(match => match.Value)).Where(number => !known.Contains(number))
            .Distinct();

        Assert.Equal("", string.Join(", ", unknown));
    }

    private static IEnumerable<JsonElement> Words(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Object => element.EnumerateObject().SelectMany(one => Words(one.Value)),
        JsonValueKind.Array => element.EnumerateArray().SelectMany(Words),
        _ => [element],
    };

    // As a page may round a number: a share is also a percentage, and bytes are also GiB.
    private static IEnumerable<string> Spelled(JsonElement element)
    {
        // A bare number would be days.
        if (element.ValueKind == JsonValueKind.String && element.GetString()!.Contains(':')
            && TimeSpan.TryParse(element.GetString(), CultureInfo.InvariantCulture, out var time))
            return [Format.Fixed(time.TotalSeconds, 1)];
        if (element.ValueKind == JsonValueKind.String)
            return Number().Matches(element.GetString()!).Select(match => match.Value);
        if (element.ValueKind != JsonValueKind.Number)
            return [];
        var value = element.GetDouble();
        return new[] { value, value * 100,
            value / (1L << 30) }.SelectMany(one => new[] { Format.Short(one), Format.Ratio(one), Format.P(one) }
            .Append(element.GetRawText())
            .Concat(Enumerable.Range(0, 5).Select(digits => one.ToString($"F{digits}", CultureInfo.InvariantCulture))))
            .SelectMany(text => Number().Matches(text).Select(match => match.Value));
    }

    [GeneratedRegex(@"(?<![\w.:]|\d-)\d+(\.\d+)?(e-?\d+)?(?![\w:])")]
    private static partial Regex Number();
}
