namespace PubSubOverWs.Experiment.Faults;

/// <summary>A time in which a client was away. Times are from the iteration's start.</summary>
/// <param name="IsSubscriber">False: it is the publisher of this user.</param>
/// <param name="User">From 0.</param>
/// <param name="From">When its connection was lost.</param>
/// <param name="Until">When it was subscribed again, or as a publisher connected again; null: it did not come back.</param>
public readonly record struct OfflineWindow(bool IsSubscriber, int User, TimeSpan From, TimeSpan? Until)
{
    /// <summary>How long it was away; null: it did not come back.</summary>
    public TimeSpan? Length => Until - From;

    public bool Contains(TimeSpan time) => time >= From && !(time >= Until);
}
