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
