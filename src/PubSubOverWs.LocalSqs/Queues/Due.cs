namespace PubSubOverWs.LocalSqs;

/// <summary>Something that falls due: a message that becomes visible, or a poll that has waited long enough.</summary>
public abstract class Due
{
    /// <summary>When, as a timestamp of the queue's <see cref="TimeProvider"/>.</summary>
    internal long At { get; set; }

    /// <summary>Its position in its <see cref="DueHeap"/>; -1: it is in none.</summary>
    internal int Place { get; set; } = -1;
}
