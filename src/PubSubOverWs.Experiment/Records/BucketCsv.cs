using static PubSubOverWs.Experiment.Records.Csv;

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
        Attempts = row.Long("attempts"),
        Acknowledged = row.Long("acknowledged"),
        Delivered = row.Long("delivered"),
        Late = row.Long("late"),
        Refused = row.Long("refused"),
        DeadLettered = row.Long("deadLettered"),
        StillQueued = row.Long("stillQueued"),
        LostAcknowledged = row.Long("lostAcknowledged"),
        LostUnacknowledged = row.Long("lostUnacknowledged"),
        Causes = new(
            row.Long("causeConnectRefused"),
            row.Long("causeConnectTimeout"),
            row.Long("causeHandshakeRejected"),
            row.Long("causeSendError"),
            row.Long("causeShed"),
            row.Long("causeNoSubscriber"),
            row.Long("causeServerClosed"),
            row.Long("causeDeadline")),
    };
}
