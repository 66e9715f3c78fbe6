namespace PubSubOverWs.Experiment.Accounting;

/// <summary>Where a message stood in the queue when the iteration ended.</summary>
public enum QueueState
{
    /// <summary>Not in the queue, or the arm has none.</summary>
    Gone,
    StillQueued,
    DeadLettered,
}
