namespace PubSubOverWs.Experiment.Accounting;

/// <summary>Where the attempts of an iteration, or of many, ended. Every attempt is in exactly one bucket.</summary>
public sealed record Buckets
{
    public required long Attempts { get; init; }

    /// <summary>
    /// Beside the buckets: attempts whose receipt said that the broker had taken them. 0 when no receipts were asked for.
    /// </summary>
    public long Acknowledged { get; init; }

    public long Delivered { get; init; }

    public long Late { get; init; }

    public long Refused { get; init; }

    public long DeadLettered { get; init; }

    public long StillQueued { get; init; }

    public long LostAcknowledged { get; init; }

    public long LostUnacknowledged { get; init; }

    /// <summary>Why the undelivered were not delivered; adds up to <see cref="Lost"/>.</summary>
    public CauseCounts Causes { get; init; } = new();

    /// <summary>All that was not delivered in time, the paper's sense of loss.</summary>
    public long Lost => Attempts - Delivered;

    /// <summary>False: the accounting is broken, and the run with it.</summary>
    public bool AddUp =>
        Delivered + Late + Refused + DeadLettered + StillQueued + LostAcknowledged + LostUnacknowledged == Attempts && Causes.Total == Lost;

    /// <summary>1 - delivered/attempts, from 0 to 1; a failed connect stays in the denominator. Null: nothing was attempted.</summary>
    public double? EndToEndLoss => Attempts == 0 ? null : (double)Lost / Attempts;

    /// <summary>lost-acknowledged/acknowledged, from 0 to 1. Null, not 0, when nothing was acknowledged.</summary>
    public double? GuaranteeLoss => Acknowledged == 0 ? null : (double)LostAcknowledged / Acknowledged;

    /// <summary>late/attempts, from 0 to 1. Null: nothing was attempted.</summary>
    public double? LateRate => Attempts == 0 ? null : (double)Late / Attempts;

    public Buckets Add(Buckets other) => new()
    {
        Attempts = Attempts + other.Attempts,
        Acknowledged = Acknowledged + other.Acknowledged,
        Delivered = Delivered + other.Delivered,
        Late = Late + other.Late,
        Refused = Refused + other.Refused,
        DeadLettered = DeadLettered + other.DeadLettered,
        StillQueued = StillQueued + other.StillQueued,
        LostAcknowledged = LostAcknowledged + other.LostAcknowledged,
        LostUnacknowledged = LostUnacknowledged + other.LostUnacknowledged,
        Causes = Causes.Add(other.Causes),
    };
}

/// <summary>How many attempts were not delivered, by cause.</summary>
public sealed record CauseCounts(
    long ConnectRefused = 0,
    long ConnectTimeout = 0,
    long HandshakeRejected = 0,
    long SendError = 0,
    long Shed = 0,
    long NoSubscriber = 0,
    long ServerClosed = 0,
    long Deadline = 0)
{
    public long Total => ConnectRefused + ConnectTimeout + HandshakeRejected + SendError + Shed + NoSubscriber + ServerClosed + Deadline;

    public long this[Cause cause] => cause switch
    {
        Cause.ConnectRefused => ConnectRefused,
        Cause.ConnectTimeout => ConnectTimeout,
        Cause.HandshakeRejected => HandshakeRejected,
        Cause.SendError => SendError,
        Cause.Shed => Shed,
        Cause.NoSubscriber => NoSubscriber,
        Cause.ServerClosed => ServerClosed,
        Cause.Deadline => Deadline,
        _ => 0,
    };

    public CauseCounts Add(CauseCounts other) => new(
        ConnectRefused + other.ConnectRefused,
        ConnectTimeout + other.ConnectTimeout,
        HandshakeRejected + other.HandshakeRejected,
        SendError + other.SendError,
        Shed + other.Shed,
        NoSubscriber + other.NoSubscriber,
        ServerClosed + other.ServerClosed,
        Deadline + other.Deadline);
}

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
