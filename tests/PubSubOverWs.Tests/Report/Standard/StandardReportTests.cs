using System.Text.Json;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Standard.Sections;
using PubSubOverWs.Tests.Record;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.Report.Standard;

public sealed class StandardReportTests
{
    /// <summary>Scenario files of experiments without a report of their own.</summary>
    public static TheoryData<string> Scenarios =>
    [
        .. SourceTree.Scenarios.Where(path => AnalysisList.For(Read(path)).OwnReport is null)
            .Select(path => Path.GetFileNameWithoutExtension(path)),
    ];

    [Theory]
    [InlineData("standard.golden.html")]
    [InlineData("standard.golden.json")]
    [InlineData("standard.golden.csv")]
    public void The_report_of_a_committed_run_reads_as_it_was_reviewed(string name) =>
        Golden.Same(
            name,
            ReportFolder.Make(
                RecordReader.Read(Path.Combine(SourceTree.Root, "results/request-reply/2026-11-30T09-57-33Z-rabbitmq"))));

    [Theory]
    [MemberData(nameof(Scenarios))]
    public void Report_json_of_each_experiment_has_what_its_schema_says(string name)
    {
        using var schema = Schema("standard-report");
        var scenario = Read(SourceTree.Scenarios.Single(path => Path.GetFileNameWithoutExtension(path) == name));
        using var report = JsonDocument.Parse(ReportFolder.Make(Run(scenario.ToQuick())).Json);

        Assert.Empty(Misfits("report.json", schema.RootElement, report.RootElement));
    }

    [Fact]
    public void Report_json_of_the_paper_and_of_a_fault_has_what_its_schema_says()
    {
        using var schema = Schema("report");
        Assert.All([SmallRun.Folder, SmallFault.Folder], run =>
        {
            using var report = JsonDocument.Parse(ReportFolder.Make(run).Json);
            Assert.Empty(Misfits("report.json", schema.RootElement, report.RootElement));
        });
    }

    private static JsonDocument Schema(string name) => JsonDocument.Parse(SchemasCommand.All.Single(one => one.Name == name).Write());

    private static Scenario Read(string path) => ScenarioJson.Parse(SourceTree.Read(path), path);

    // Everything that is planned, with one loss in the first iteration: the numbers mean nothing here.
    private static RunFolder Run(Scenario scenario)
    {
        var run = Some.RunOf(scenario);
        var flow = Some.Row("direct", users: 10, block: 1, iteration: 1).Flows[0];
        var lossy = flow with
        {
            Buckets = new Buckets { Attempts = 10, Delivered = 9, LostUnacknowledged = 1, Causes = new CauseCounts(Deadline: 1) },
        };
        var rows = Trial.From(scenario, run.Order).Select(trial =>
            Some.Row(trial.Arm.Name, users: 10, trial.Block, trial.Iteration) with
            {
                Level = trial.Level,
                Order = trial.Order,
                WarmUp = trial.WarmUp,
                Flows = new FlowRows(scenario.Flows.Select(of => (trial.Iteration == 1 ? lossy : flow) with { Flow = of })),
                Measures = scenario.Measures.ToDictionary(measure => measure.Name, _ => (double?)1),
            });
        return new RunFolder(run, [.. rows], []);
    }

    private static IEnumerable<string> Misfits(string where, JsonElement schema, JsonElement value)
    {
        // "true" is any value; and the scenario is held against its schema where it is written to run.json.
        if (schema.ValueKind != JsonValueKind.Object || schema.TryGetProperty("$ref", out _))
            return [];
        if (schema.TryGetProperty("type", out var type) && !IsOf(type, value))
            return [$"{where} is {value.ValueKind}, and not {type}"];
        if (schema.TryGetProperty("enum", out var words) && !words.EnumerateArray().Any(word => JsonElement.DeepEquals(word, value)))
            return [$"{where} is {value}, and not one of {words}"];
        if (value.ValueKind == JsonValueKind.Array)
            return value.EnumerateArray().SelectMany(item => Misfits($"{where}[]", schema.GetProperty("items"), item));
        if (value.ValueKind != JsonValueKind.Object || !schema.TryGetProperty("properties", out var properties))
            return [];
        var required = schema.TryGetProperty("required", out var names) ? names.EnumerateArray().Select(name => name.GetString()!) : [];
        return
        [
            .. required.Where(name => !value.TryGetProperty(name, out _)).Select(name => $"{where} lacks {name}"),
            .. value.EnumerateObject().SelectMany(key => properties.TryGetProperty(key.Name, out var of)
                ? Misfits($"{where}.{key.Name}", of, key.Value)
                : [$"{where} has {key.Name}"]),
        ];
    }

    private static bool IsOf(JsonElement type, JsonElement value) => type.ValueKind == JsonValueKind.Array
        ? type.EnumerateArray().Any(one => IsOf(one, value))
        : type.GetString() switch
        {
            "integer" => value.ValueKind == JsonValueKind.Number && value.TryGetInt64(out _),
            "boolean" => value.ValueKind is JsonValueKind.True or JsonValueKind.False,
            var name => string.Equals(name, value.ValueKind.ToString(), StringComparison.OrdinalIgnoreCase),
        };
}

public sealed class TermTests
{
    [Fact]
    public void Every_term_that_a_report_explains_is_one_of_the_glossary() => Assert.All(
        TermSection.Terms, term => Assert.Contains(SourceTree.Lines("docs/reference/glossary.md"), line => line == $"### {term.Name}"));

    [Fact]
    public void The_first_use_of_a_term_links_to_the_list_of_terms_and_tables_and_verbatim_lists_stay_as_they_are()
    {
        Block[] blocks =
        [
            new Paragraph("Two arms and the noise floor of a set-up, never below the floor of the set-up."),
            new BulletList(["n counts iterations of an arm."]),
            new BulletList(["Blocks are judged."], IsVerbatim: true),
            new Table(["R"], [["1.5"]]),
        ];

        Assert.Equal(
            "Two [arms](#terms) and the [noise floor](#terms) of a set-up, never below the [floor of the set-up](#terms).\n\n"
                + "- [n](#terms) counts iterations of an arm.\n\n- Blocks are judged.\n\n| R |\n| --- |\n| 1.5 |\n\n## Terms\n\n",
            Before(MarkdownText.Write(TermSection.Linked(blocks)), "- **"));
    }

    [Fact]
    public void Links_of_a_report_lead_to_its_terms_in_Markdown_and_in_HTML()
    {
        var report = ReportFolder.Make(SmallRun.Folder);

        Assert.Contains("\n## Terms\n", report.Markdown, StringComparison.Ordinal);
        Assert.Contains("[n](#terms) counts iterations", report.Markdown, StringComparison.Ordinal);
        Assert.Contains("<h2 id=\"terms\">Terms</h2>", report.Html, StringComparison.Ordinal);
        Assert.Contains("<a href=\"#terms\">", report.Html, StringComparison.Ordinal);
    }

    private static string Before(string text, string end) => text[..text.IndexOf(end, StringComparison.Ordinal)];
}
