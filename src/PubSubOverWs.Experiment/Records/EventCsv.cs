using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.Experiment.Records;

internal static class EventCsv
{
    public static readonly IReadOnlyList<string> Header = ["atUs", "kind", "target", "detail"];

    public static string Line(EventRow row) => Csv.Line([Csv.Text(row.At), row.Kind, row.Target, row.Detail]);

    public static EventRow Parse(CsvRow row) => new(row.Time("atUs"), row.Text("kind"), row.Text("target"), row.Text("detail"));
}
