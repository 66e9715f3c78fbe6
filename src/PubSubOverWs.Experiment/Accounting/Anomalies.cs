namespace PubSubOverWs.Experiment.Accounting;

/// <summary>What came that should not have come so. Beside the buckets, not inside: a duplicate does not undo a delivery.</summary>
/// <param name="Duplicates">Further intact copies of what had already come to its recipient.</param>
/// <param name="Reorderings">First copies that came after a later message of the same publisher.</param>
/// <param name="Unexpected">Messages that nobody sent, or that came to somebody they were not meant for.</param>
/// <param name="Corrupted">Messages whose payload was not what had been sent.</param>
public readonly record struct Anomalies(long Duplicates, long Reorderings, long Unexpected, long Corrupted)
{
    public Anomalies Add(Anomalies other) => new(
        Duplicates + other.Duplicates,
        Reorderings + other.Reorderings,
        Unexpected + other.Unexpected,
        Corrupted + other.Corrupted);
}
