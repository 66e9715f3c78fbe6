namespace PubSubOverWs.Record.Accounting;

/// <summary>Classifies every attempt into exactly one bucket, by the precedence of docs/reference/method.md.</summary>
public static class Accountant
{
    /// <summary>Classifies an attempt whose message is not left in the queue.</summary>
    /// <param name="deadline">From due; later arrivals are late.</param>
    public static Attempt Classify(Observation seen, TimeSpan deadline)
    {
        var outcome = OutcomeOf(seen, deadline);
        var cause = outcome switch
        {
            Outcome.Delivered => Cause.None,
            Outcome.Late => Cause.Deadline,
            _ => seen.Failure == Cause.None ? Cause.Deadline : seen.Failure,
        };
        return new Attempt(
            seen.MessageId, seen.Publisher, seen.Recipient, seen.Due, seen.Sent, seen.Receipt, seen.Received, outcome, cause)
        { Flow = seen.Flow, CorrelationId = seen.CorrelationId };
    }

    /// <summary>
    /// Classifies all attempts of an iteration. The queue's counts name no message, so they are assigned to missing messages in the order
    /// of <paramref name="seen"/>: acknowledged attempts first, since those are known to have been in the queue, and among them flow by
    /// flow.
    /// </summary>
    public static IReadOnlyList<Attempt> Classify(IReadOnlyList<Observation> seen, TimeSpan deadline, QueueRemains remains)
    {
        var attempts = seen.Select(one => Classify(one, deadline)).ToArray();
        var missing = Indexes(attempts, Outcome.LostAcknowledged).Concat(Indexes(attempts, Outcome.LostUnacknowledged)).ToArray();
        var dead = (int)Math.Min(remains.DeadLettered, missing.Length);
        var still = (int)Math.Min(remains.StillQueued, missing.Length - dead);
        for (var i = 0; i < dead + still; i++)
            attempts[missing[i]] = attempts[missing[i]] with { Outcome = i < dead ? Outcome.DeadLettered : Outcome.StillQueued };
        return attempts;
    }

    /// <param name="acknowledged">How many observations had <see cref="Observation.Taken"/>.</param>
    /// <exception cref="InvalidOperationException">The buckets do not add up to the attempts: a defect of the accounting.</exception>
    public static Buckets Sum(IEnumerable<Attempt> attempts, long acknowledged)
    {
        var tally = new BucketTally();
        foreach (var attempt in attempts)
            tally.Add(attempt);
        return tally.Sum(acknowledged);
    }

    private static Outcome OutcomeOf(Observation seen, TimeSpan deadline) => seen switch
    {
        { Received: { } received } => received - seen.Due <= deadline ? Outcome.Delivered : Outcome.Late,
        _ when WasRefused(seen) => Outcome.Refused,
        { Taken: true } => Outcome.LostAcknowledged,
        _ => Outcome.LostUnacknowledged,
    };

    // A connection that closes after the send leaves the outcome unknown, which is no refusal; neither is an acknowledged message.
    private static bool WasRefused(Observation seen) => !seen.Taken && (seen.Sent is null || seen.Failure is
        Cause.ConnectRefused or Cause.ConnectTimeout or Cause.HandshakeRejected or Cause.SendError or Cause.Shed or Cause.NoSubscriber);

    private static IEnumerable<int> Indexes(Attempt[] attempts, Outcome outcome) =>
        Enumerable.Range(0, attempts.Length).Where(i => attempts[i].Outcome == outcome).OrderBy(i => attempts[i].Flow);
}

/// <summary>One attempt as the load saw it, before it is classified. Times are from the iteration's start.</summary>
/// <param name="Due">The scheduled time of the send.</param>
/// <param name="Sent">When it was handed to the socket; null: never.</param>
/// <param name="Receipt">When the answer to the SEND arrived, positive or not.</param>
/// <param name="Taken">The receipt acknowledged the message.</param>
/// <param name="Received">When <paramref name="Recipient"/> received the first intact copy, in time or late.</param>
/// <param name="Failure">The first failure that the client saw.</param>
public readonly record struct Observation(
    string MessageId,
    int Publisher,
    int Recipient,
    TimeSpan Due,
    TimeSpan? Sent,
    TimeSpan? Receipt,
    bool Taken,
    TimeSpan? Received,
    Cause Failure)
{
    /// <summary>Index of its flow in the scenario, from 0.</summary>
    public int Flow { get; init; }

    /// <summary>Ties it to observations of other flows, such as a request to its reply. Null: it stands alone.</summary>
    public string? CorrelationId { get; init; }
}

/// <summary>
/// Messages left in the queue when the iteration ended: SQS counts them, but does not name them. By default none: the queue was drained,
/// or the arm has none.
/// </summary>
/// <param name="StillQueued">Visible, in flight, delayed, or held by the server.</param>
/// <param name="DeadLettered">Added to the dead-letter queue during the iteration.</param>
public readonly record struct QueueRemains(long StillQueued, long DeadLettered);
