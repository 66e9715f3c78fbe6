using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Formats;
using static PubSubOverWs.Experiment.Formats.Csv;

namespace PubSubOverWs.Experiment.Records;

/// <summary>samples/: one line per attempt, times in microseconds from the iteration's start, empty when it did not happen.</summary>
internal static class SampleCsv
{
    public static readonly IReadOnlyList<string> Header =
        ["messageId", "publisher", "recipient", "dueUs", "sentUs", "receiptUs", "receivedUs", "outcome", "cause"];

    public static string Line(Attempt one) => Csv.Line(
    [
        one.MessageId,
        Text(one.Publisher),
        Text(one.Recipient),
        Text(one.Due),
        Text(one.Sent),
        Text(one.Receipt),
        Text(one.Received),
        Kebab.Of(one.Outcome),
        one.Cause == Cause.None ? "" : Kebab.Of(one.Cause),
    ]);

    public static Attempt Parse(CsvRow row) => new(
        row.Text("messageId"),
        row.Int("publisher"),
        row.Int("recipient"),
        row.Time("dueUs"),
        row.OptionalTime("sentUs"),
        row.OptionalTime("receiptUs"),
        row.OptionalTime("receivedUs"),
        row.Named<Outcome>("outcome"),
        row.Text("cause").Length == 0 ? Cause.None : row.Named<Cause>("cause"));
}
