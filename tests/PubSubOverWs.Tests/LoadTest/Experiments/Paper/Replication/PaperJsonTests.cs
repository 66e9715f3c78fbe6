using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Schema;
using System.Text.Json.Serialization.Metadata;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using PubSubOverWs.LoadTest.Experiments.Paper.Replication;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report;
using PubSubOverWs.Report.Compare;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Gates;
using PubSubOverWs.Report.Results;
using PubSubOverWs.Report.Standard;
using PubSubOverWs.Tests.Report.Standard;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Replication;

public sealed partial class PaperJsonTests
{
    public static TheoryData<string> Schemas => ["report", "standard-report", "compare", "noise", "results", "doctor", "plan"];

    // By --json only, and in no folder.
    private static readonly string[] Printed = ["results", "doctor", "plan"];

    [Theory]
    [MemberData(nameof(Schemas))]
    public void The_schemas_in_docs_match_the_documents_that_the_program_writes(string name)
    {
        var (options, type) = name switch
        {
            "report" => (ReportJson.Options, typeof(PaperModel)),
            "standard-report" => (ReportJson.Options, typeof(StandardModel)),
            "compare" => (CompareJson.Options, typeof(RunComparison)),
            "results" => (ResultsJson.Options, typeof(ResultsDocument)),
            "doctor" => (DocumentJson.Options, typeof(ExaminationDocument)),
            "plan" => (DocumentJson.Options, typeof(PlanDocument)),
            _ => (NoiseJson.Options, typeof(NoiseFloor)),
        };
        options = new(options) { TypeInfoResolver = new DefaultJsonTypeInfoResolver() };
        var schema = options.GetJsonSchemaAsNode(type, new()
        {
            TreatNullObliviousAsNonNullable = true,
            TransformSchemaNode = (context, node) =>
                type == typeof(StandardModel) && context.TypeInfo.Type == typeof(Level) ? LevelOfAny() : Named(context, node),
        }).AsObject();
        var whole = new JsonObject
        {
            ["$schema"] = "https://json-schema.org/draft/2020-12/schema",
            ["title"] = type == typeof(StandardModel) ? "report.json" : $"{name}.json",
            ["description"] = $"docs/reference/{(Printed.Contains(name) ? "command" : "record")}.md says what each part means.",
        };
        foreach (var (key, value) in schema)
            whole[key] = value?.DeepClone();
        var made = whole.ToJsonString(new JsonSerializerOptions { WriteIndented = true, NewLine = "\n" }) + "\n";
        if (made == SourceTree.Read($"docs/{name}.schema.json"))
            return;
        var actual = Path.Combine(AppContext.BaseDirectory, $"{name}.schema.json");
        File.WriteAllText(actual, made);
        Assert.Fail(
            $"{actual} differs from docs/{name}.schema.json: read it, and copy it there if it is right; a key that went away or means "
                + "something else needs a new version.");
    }

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

    private static JsonObject LevelOfAny() => new()
    {
        ["description"] = "The setting of the only factor; with several, one for each by its name.",
        ["type"] = new JsonArray("integer", "string", "object"),
    };

    private static JsonNode Named(JsonSchemaExporterContext context, JsonNode schema) => context.TypeInfo.Type switch
    {
        var type when type == typeof(Level) => new JsonObject { ["type"] = "integer" },
        var type when type.IsAssignableTo(typeof(Scenario)) => new JsonObject { ["$ref"] = "scenario.schema.json" },
        var type when type == typeof(Gate) => new JsonObject { ["type"] = "string" },
        var type when type == typeof(double) || type == typeof(double?) => new JsonObject { ["type"] = new JsonArray("number", "null") },
        _ => schema,
    };

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
