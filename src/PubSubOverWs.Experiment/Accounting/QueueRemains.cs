namespace PubSubOverWs.Experiment.Accounting;

/// <summary>How many messages the queue had left when the iteration ended: SQS counts them, but does not name them.</summary>
/// <param name="StillQueued">Visible, in flight, delayed, or held by the server.</param>
/// <param name="DeadLettered">In the dead-letter queue, less what was there before.</param>
public readonly record struct QueueRemains(long StillQueued, long DeadLettered)
{
    /// <summary>A drained queue, or an arm without one.</summary>
    public static QueueRemains None => default;
}
