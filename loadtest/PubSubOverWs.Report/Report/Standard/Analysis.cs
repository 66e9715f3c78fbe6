using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Gates;
using PubSubOverWs.Report.Metrics;

namespace PubSubOverWs.Report.Standard;

/// <summary>The evaluation of the records of an experiment.</summary>
/// <param name="Metrics">In the order of the standard report.</param>
public sealed record Analysis(IReadOnlyList<Metric> Metrics)
{
    /// <summary>The claims made before a run.</summary>
    public IReadOnlyList<Claim> Claims { get; init; } = [];

    /// <summary>When an arm holds a rate; null: no level is a rate, or no knee is of interest.</summary>
    public KneeRule? Knee { get; init; }

    /// <summary>Sections that the standard report has of this experiment alone, behind the overview.</summary>
    internal Func<RunFolder, IEnumerable<Block>> Sections { get; init; } = _ => [];

    /// <summary>Cites what the experiment replicates, for citations of a record; null: nothing.</summary>
    public Func<string>? Replicates { get; init; }

    /// <summary>Makes the experiment's own report; null: it has the standard one.</summary>
    public Func<RunFolder, ReportFiles>? OwnReport { get; init; }

    /// <summary>Tests that a list of runs shows for each run, corrected for their number.</summary>
    public Func<RunFolder, IReadOnlyList<ListedTest>> Listed { get; init; } = _ => [];

    /// <summary>The report of a run of the experiment.</summary>
    public ReportFiles ReportOf(RunFolder folder) => OwnReport is { } own ? own(folder) : StandardReport.Make(folder, this);
}

/// <summary>A test of one run in a list of runs.</summary>
/// <param name="Claim">A few words, the same for all runs.</param>
/// <param name="P">Of this run alone; null: it was not tested.</param>
/// <param name="WordAt">The decision at a corrected p.</param>
public sealed record ListedTest(string Claim, double? P, Func<double, string> WordAt)
{
    /// <summary>In a word or two, why there is no <see cref="P"/>.</summary>
    public string Untested { get; init; } = "not testable";
}

/// <summary>The text of report.md, report.json, report.html and report.csv; line ends are \n everywhere.</summary>
public sealed record ReportFiles(string Markdown, string Json, string Html, string Csv)
{
    /// <summary>On the experiment's own hypotheses; claims are not among them.</summary>
    public IReadOnlyList<ReportVerdict> Verdicts { get; init; } = [];

    /// <summary>Each file's name in the folder, and its text.</summary>
    public IReadOnlyList<(string Name, string Text)> Named =>
        [("report.md", Markdown), ("report.json", Json), ("report.html", Html), ("report.csv", Csv)];
}

/// <summary>One verdict of a report.</summary>
/// <param name="Id">Unique in the report, such as H2.</param>
/// <param name="Word">A few words, which two runs can have in common.</param>
/// <param name="Sentence">With its reason.</param>
public sealed record ReportVerdict(string Id, string Word, string Sentence);

/// <summary>report.json of any experiment.</summary>
internal static class ReportJson
{
    internal static readonly JsonSerializerOptions Options = new(JsonText.Options) { Converters = { new ScenarioJson(), new GateText() } };

    public static string Write<T>(T report) => JsonSerializer.Serialize(report, Options) + "\n";

    /// <summary>Writes a gate as its text.</summary>
    private sealed class GateText : JsonConverter<Gate>
    {
        public override Gate Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            throw new NotSupportedException("report.json is only written.");

        public override void Write(Utf8JsonWriter writer, Gate value, JsonSerializerOptions options) => writer.WriteStringValue(value.Text);
    }
}
