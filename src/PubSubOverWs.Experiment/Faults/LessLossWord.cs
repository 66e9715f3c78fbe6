namespace PubSubOverWs.Experiment.Faults;

/// <summary>Whether H1b holds under a fault.</summary>
public enum LessLossWord
{
    /// <summary>Pubsub lost significantly less.</summary>
    Holds,

    /// <summary>Shown to differ by less than <see cref="Losses.Margin"/>, however small the p of that difference.</summary>
    Alike,

    /// <summary>The losses do not differ significantly.</summary>
    NotShown,

    /// <summary>Pubsub lost significantly more.</summary>
    Reversed,

    NotTestable,
}
