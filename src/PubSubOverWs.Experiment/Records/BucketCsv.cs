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
