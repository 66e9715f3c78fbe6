namespace PubSubOverWs.Record.Accounting;

/// <summary>Outcomes of the attempts of one or more iterations. Every attempt is in exactly one bucket.</summary>
public sealed record Buckets
{
    public required long Attempts { get; init; }

    /// <summary>Attempts that the broker acknowledged with a receipt; not a bucket. 0 when no receipts were requested.</summary>
    public long Acknowledged { get; init; }

    public long Delivered { get; init; }

    public long Late { get; init; }

    public long Refused { get; init; }

    public long DeadLettered { get; init; }

    public long StillQueued { get; init; }

    public long LostAcknowledged { get; init; }

    public long LostUnacknowledged { get; init; }

    /// <summary>Why messages were not delivered in time; adds up to <see cref="Lost"/>.</summary>
    public CauseCounts Causes { get; init; } = new();

    /// <summary>Everything that was not delivered in time: loss as the paper defines it.</summary>
    public long Lost => Attempts - Delivered;

    /// <summary>False: the accounting is wrong, which makes the run invalid.</summary>
    public bool AddUp =>
        Delivered + Late + Refused + DeadLettered + StillQueued + LostAcknowledged + LostUnacknowledged == Attempts && Causes.Total == Lost;

    /// <summary>1 - delivered/attempts, from 0 to 1; a failed connect stays in the denominator. Null: nothing was attempted.</summary>
    public double? EndToEndLoss => Attempts == 0 ? null : (double)Lost / Attempts;

    /// <summary>lost-acknowledged/acknowledged, from 0 to 1. Null, not 0, when nothing was acknowledged.</summary>
    public double? GuaranteeLoss => Acknowledged == 0 ? null : (double)LostAcknowledged / Acknowledged;

    /// <summary>late/attempts, from 0 to 1, for report.json. Null: nothing was attempted.</summary>
    public double? LateRate => Attempts == 0 ? null : (double)Late / Attempts;

    public long this[Outcome outcome] => outcome switch
    {
        Outcome.Delivered => Delivered,
        Outcome.Late => Late,
        Outcome.Refused => Refused,
        Outcome.DeadLettered => DeadLettered,
        Outcome.StillQueued => StillQueued,
        Outcome.LostAcknowledged => LostAcknowledged,
        Outcome.LostUnacknowledged => LostUnacknowledged,
        _ => throw new ArgumentOutOfRangeException(nameof(outcome), outcome, null),
    };

    public static Buckets From(long attempts, long acknowledged, Func<Outcome, long> count, CauseCounts causes) => new()
    {
        Attempts = attempts,
        Acknowledged = acknowledged,
        Delivered = count(Outcome.Delivered),
        Late = count(Outcome.Late),
        Refused = count(Outcome.Refused),
        DeadLettered = count(Outcome.DeadLettered),
        StillQueued = count(Outcome.StillQueued),
        LostAcknowledged = count(Outcome.LostAcknowledged),
        LostUnacknowledged = count(Outcome.LostUnacknowledged),
        Causes = causes,
    };

    public Buckets Add(Buckets other) => From(
        Attempts + other.Attempts, Acknowledged + other.Acknowledged, outcome => this[outcome] + other[outcome], Causes.Add(other.Causes));
}

/// <summary>Attempts that were not delivered in time, by cause.</summary>
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

    public static CauseCounts From(Func<Cause, long> count) => new(
        count(Cause.ConnectRefused), count(Cause.ConnectTimeout), count(Cause.HandshakeRejected), count(Cause.SendError),
        count(Cause.Shed), count(Cause.NoSubscriber), count(Cause.ServerClosed), count(Cause.Deadline));

    public CauseCounts Add(CauseCounts other) => From(cause => this[cause] + other[cause]);
}

/// <summary>Irregular arrivals. They are counted apart from the buckets: a duplicate does not undo a delivery.</summary>
/// <param name="Duplicates">Further intact copies of a message that its recipient already had.</param>
/// <param name="Reorderings">First copies that arrived after a later message of the same publisher.</param>
/// <param name="Unexpected">Messages that were never sent, or that reached a client that was not their recipient.</param>
/// <param name="Corrupted">Messages whose payload differs from the one sent.</param>
public readonly record struct Anomalies(long Duplicates, long Reorderings, long Unexpected, long Corrupted)
{
    public Anomalies Add(Anomalies other) => new(
        Duplicates + other.Duplicates,
        Reorderings + other.Reorderings,
        Unexpected + other.Unexpected,
        Corrupted + other.Corrupted);
}

/// <summary>Counts attempts by bucket and by cause.</summary>
public sealed class BucketTally
{
    private readonly long[] _outcomes = new long[Enum.GetValues<Outcome>().Length];
    private readonly long[] _causes = new long[Enum.GetValues<Cause>().Length];

    /// <param name="attempt">With one cause, unless it was delivered.</param>
    public void Add(in Attempt attempt, long times = 1)
    {
        _outcomes[(int)attempt.Outcome] += times;
        _causes[(int)attempt.Cause] += times;
    }

    /// <param name="acknowledged">How many observations had <see cref="Observation.Taken"/>.</param>
    /// <exception cref="InvalidOperationException">The buckets do not add up to the attempts: a defect of the accounting.</exception>
    public Buckets Sum(long acknowledged)
    {
        var buckets = Buckets.From(
            _outcomes.Sum(), acknowledged, outcome => _outcomes[(int)outcome], CauseCounts.From(cause => _causes[(int)cause]));
        return buckets.AddUp
            ? buckets
            : throw new InvalidOperationException($"The buckets do not add up to the {buckets.Attempts} attempts.");
    }

    /// <summary>Moves attempts from one bucket to another; their causes stay.</summary>
    /// <returns>How many were moved.</returns>
    internal long Move(Outcome from, Outcome to, long atMost)
    {
        var moved = Math.Min(_outcomes[(int)from], atMost);
        _outcomes[(int)from] -= moved;
        _outcomes[(int)to] += moved;
        return moved;
    }
}
