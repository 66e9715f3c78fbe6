using PubSubOverWs.Experiment.Accounting;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>All counters of an iteration.</summary>
public sealed record Account(Buckets Buckets, Anomalies Anomalies)
{
    /// <summary>By their names in flows.csv.</summary>
    public IReadOnlyList<(string Name, long Count)> Counters =>
    [
        ("attempts", Buckets.Attempts),
        ("acknowledged", Buckets.Acknowledged),
        ("delivered", Buckets.Delivered),
        ("late", Buckets.Late),
        ("refused", Buckets.Refused),
        ("deadLettered", Buckets.DeadLettered),
        ("stillQueued", Buckets.StillQueued),
        ("lostAcknowledged", Buckets.LostAcknowledged),
        ("lostUnacknowledged", Buckets.LostUnacknowledged),
        .. Enum.GetValues<Cause>().Where(cause => cause != Cause.None).Select(cause => ($"cause{cause}", Buckets.Causes[cause])),
        ("duplicates", Anomalies.Duplicates),
        ("reorderings", Anomalies.Reorderings),
        ("unexpected", Anomalies.Unexpected),
        ("corrupted", Anomalies.Corrupted),
    ];

    /// <summary>Every message arrived once, in order, in time, intact, and with a receipt.</summary>
    public static Account Clean(long attempts) =>
        new(new Buckets { Attempts = attempts, Acknowledged = attempts, Delivered = attempts }, default);

    /// <summary>Of an iteration, by the accounting that every run uses.</summary>
    public static Account Of(IterationMeasurement measured, TimeSpan deadline) => new(
        Accountant.Sum(Accountant.Classify(measured.Observations, deadline, measured.Drain.Remains), measured.Acknowledged),
        measured.Anomalies);
}
