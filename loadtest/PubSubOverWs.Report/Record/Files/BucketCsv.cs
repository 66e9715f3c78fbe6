using PubSubOverWs.Record.Accounting;
using static PubSubOverWs.Record.Formats.Csv;

namespace PubSubOverWs.Record.Files;

/// <summary>A column for each bucket and each cause, named after it.</summary>
internal static class BucketCsv
{
    public static IEnumerable<(string Column, string Text)> Cells(Buckets buckets) =>
    [
        ("attempts", Text(buckets.Attempts)),
        ("acknowledged", Text(buckets.Acknowledged)),
        .. Enum.GetValues<Outcome>().Select(outcome => (Column(outcome), Text(buckets[outcome]))),
        .. Enum.GetValues<Cause>().Where(cause => cause != Cause.None).Select(cause => (Column(cause), Text(buckets.Causes[cause]))),
    ];

    public static Buckets Parse(CsvRow row) => Buckets.Of(
        row.Count("attempts"), row.Count("acknowledged"), outcome => row.Count(Column(outcome)),
        CauseCounts.Of(cause => row.Count(Column(cause))));

    private static string Column(Outcome outcome) => JsonNamingPolicy.CamelCase.ConvertName(outcome.ToString());

    private static string Column(Cause cause) => $"cause{cause}";
}

internal static class LatencyCsv
{
    public static IEnumerable<(string Column, string Text)> Cells(LatencySummary summary, string from) =>
    [
        ($"{from}Count", Text(summary.Count)),
        ($"{from}MeanUs", Text(summary.Mean)),
        ($"{from}SdUs", Text(summary.StandardDeviation)),
        ($"{from}RestrictedMeanUs", Text(summary.RestrictedMean)),
        ($"{from}P50Us", Text(summary.P50)),
        ($"{from}P90Us", Text(summary.P90)),
        ($"{from}P99Us", Text(summary.P99)),
        ($"{from}MaxUs", Text(summary.Max)),
        ($"{from}MinUs", Text(summary.Min)),
    ];

    public static LatencySummary Parse(CsvRow row, string from) => new()
    {
        Count = row.Count($"{from}Count"),
        Mean = row.OptionalDouble($"{from}MeanUs"),
        StandardDeviation = row.OptionalDouble($"{from}SdUs"),
        RestrictedMean = row.OptionalDouble($"{from}RestrictedMeanUs"),
        P50 = row.OptionalDouble($"{from}P50Us"),
        P90 = row.OptionalDouble($"{from}P90Us"),
        P99 = row.OptionalDouble($"{from}P99Us"),
        Max = row.OptionalDouble($"{from}MaxUs"),
        Min = row.OptionalDouble($"{from}MinUs"),
    };
}

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
