namespace PubSubOverWs.Experiment.Accounting;

/// <summary>Counts attempts by bucket and by cause, one after the other.</summary>
public sealed class BucketTally
{
    private readonly long[] _outcomes = new long[Enum.GetValues<Outcome>().Length];
    private readonly long[] _causes = new long[Enum.GetValues<Cause>().Length];

    /// <param name="attempt">Is in one bucket, and has one cause unless it was delivered.</param>
    /// <param name="times">How many are alike.</param>
    public void Add(in Attempt attempt, long times = 1)
    {
        _outcomes[(int)attempt.Outcome] += times;
        _causes[(int)attempt.Cause] += times;
    }

    /// <param name="acknowledged">How many observations had <see cref="Observation.Taken"/>.</param>
    /// <exception cref="InvalidOperationException">The buckets do not add up to the attempts: a defect of the accounting
    /// itself.</exception>
    public Buckets Sum(long acknowledged)
    {
        var buckets = new Buckets
        {
            Attempts = _outcomes.Sum(),
            Acknowledged = acknowledged,
            Delivered = _outcomes[(int)Outcome.Delivered],
            Late = _outcomes[(int)Outcome.Late],
            Refused = _outcomes[(int)Outcome.Refused],
            DeadLettered = _outcomes[(int)Outcome.DeadLettered],
            StillQueued = _outcomes[(int)Outcome.StillQueued],
            LostAcknowledged = _outcomes[(int)Outcome.LostAcknowledged],
            LostUnacknowledged = _outcomes[(int)Outcome.LostUnacknowledged],
            Causes = new(
                _causes[(int)Cause.ConnectRefused],
                _causes[(int)Cause.ConnectTimeout],
                _causes[(int)Cause.HandshakeRejected],
                _causes[(int)Cause.SendError],
                _causes[(int)Cause.Shed],
                _causes[(int)Cause.NoSubscriber],
                _causes[(int)Cause.ServerClosed],
                _causes[(int)Cause.Deadline]),
        };
        return buckets.AddUp
            ? buckets
            : throw new InvalidOperationException($"The buckets do not add up to the {buckets.Attempts} attempts.");
    }

    /// <summary>Puts some of one bucket into another; their causes stay.</summary>
    /// <returns>How many there were to be moved.</returns>
    internal long Move(Outcome from, Outcome to, long atMost)
    {
        var moved = Math.Min(_outcomes[(int)from], atMost);
        _outcomes[(int)from] -= moved;
        _outcomes[(int)to] += moved;
        return moved;
    }
}
