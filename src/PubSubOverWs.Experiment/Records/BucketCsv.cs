using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Formats;
using static PubSubOverWs.Experiment.Formats.Csv;

namespace PubSubOverWs.Experiment.Records;

internal static class BucketCsv
{
    private static readonly (string Column, Func<Buckets, long> Value)[] Columns =
    [
        ("attempts", b => b.Attempts),
        ("acknowledged", b => b.Acknowledged),
        ("delivered", b => b.Delivered),
        ("late", b => b.Late),
        ("refused", b => b.Refused),
        ("deadLettered", b => b.DeadLettered),
        ("stillQueued", b => b.StillQueued),
        ("lostAcknowledged", b => b.LostAcknowledged),
        ("lostUnacknowledged", b => b.LostUnacknowledged),
        ("causeConnectRefused", b => b.Causes.ConnectRefused),
        ("causeConnectTimeout", b => b.Causes.ConnectTimeout),
        ("causeHandshakeRejected", b => b.Causes.HandshakeRejected),
        ("causeSendError", b => b.Causes.SendError),
        ("causeShed", b => b.Causes.Shed),
        ("causeNoSubscriber", b => b.Causes.NoSubscriber),
        ("causeServerClosed", b => b.Causes.ServerClosed),
        ("causeDeadline", b => b.Causes.Deadline),
    ];

    public static IEnumerable<(string Column, string Text)> Cells(Buckets buckets) =>
        Columns.Select(column => (column.Column, Text(column.Value(buckets))));

    public static Buckets Parse(CsvRow row) => new()
    {
        Attempts = row.Count("attempts"),
        Acknowledged = row.Count("acknowledged"),
        Delivered = row.Count("delivered"),
        Late = row.Count("late"),
        Refused = row.Count("refused"),
        DeadLettered = row.Count("deadLettered"),
        StillQueued = row.Count("stillQueued"),
        LostAcknowledged = row.Count("lostAcknowledged"),
        LostUnacknowledged = row.Count("lostUnacknowledged"),
        Causes = new(
            row.Count("causeConnectRefused"),
            row.Count("causeConnectTimeout"),
            row.Count("causeHandshakeRejected"),
            row.Count("causeSendError"),
            row.Count("causeShed"),
            row.Count("causeNoSubscriber"),
            row.Count("causeServerClosed"),
            row.Count("causeDeadline")),
    };
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
