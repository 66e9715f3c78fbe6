namespace PubSubOverWs.Experiment.Faults;

/// <summary>Whether H1b holds under a fault.</summary>
public enum LessLossWord
{
    /// <summary>Pubsub lost significantly less.</summary>
    Holds,

    /// <summary>The losses do not differ significantly.</summary>
    NotShown,

    /// <summary>Pubsub lost significantly more.</summary>
    Reversed,

    NotTestable,
}
