using PubSubOverWs.Experiment.Formats;
using static PubSubOverWs.Experiment.Formats.Csv;

namespace PubSubOverWs.Experiment.Records;

internal static class TrafficCsv
{
    private static readonly string[] Columns = [.. Cells(null).Select(cell => cell.Column)];

    public static IEnumerable<(string Column, string Text)> Cells(QueueTraffic? traffic) =>
    [
        .. Kinds(traffic?.Calls, "Calls"),
        ("queueEmptyReceives", Text(traffic?.EmptyReceives)),
        .. Kinds(traffic?.BytesOut, "BytesOut"),
        ("queueBytesIn", Text(traffic?.BytesIn)),
    ];

    public static QueueTraffic? Parse(CsvRow row) => row.IsEmpty(Columns)
        ? null
        : new QueueTraffic(Kinds(row, "Calls"), row.Long("queueEmptyReceives"), Kinds(row, "BytesOut"), row.Long("queueBytesIn"));

    private static IEnumerable<(string Column, string Text)> Kinds(QueueCounts? counts, string what) =>
    [
        ($"queueSend{what}", Text(counts?.Send)),
        ($"queueReceive{what}", Text(counts?.Receive)),
        ($"queueDelete{what}", Text(counts?.Delete)),
        ($"queueVisibility{what}", Text(counts?.ChangeVisibility)),
        ($"queueOther{what}", Text(counts?.Other)),
    ];

    private static QueueCounts Kinds(CsvRow row, string what) => new(
        row.Long($"queueSend{what}"),
        row.Long($"queueReceive{what}"),
        row.Long($"queueDelete{what}"),
        row.Long($"queueVisibility{what}"),
        row.Long($"queueOther{what}"));
}
