namespace PubSubOverWs.Experiment.Records;

/// <summary>Whether the queue was shown to be empty before the next arm started.</summary>
public enum DrainState
{
    /// <summary>Three counts of zero in a row and nothing held; also every arm without a queue.</summary>
    Proven,

    /// <summary>The queue's counts could not be asked for.</summary>
    NotProven,

    /// <summary>Something was still there when the time was up.</summary>
    Failed,
}
