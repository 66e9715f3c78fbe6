namespace PubSubOverWs.Experiment.Accounting;

/// <summary>A time in which a client was away. Times are from the iteration's start.</summary>
/// <param name="IsSubscriber">False: it is the publisher of this user.</param>
/// <param name="User">From 0.</param>
/// <param name="From">When its connection was lost.</param>
/// <param name="Connected">When it was connected again, and sent its SUBSCRIBE, or as a publisher what it has to publish; null: it did not
/// come back.</param>
/// <param name="Until">When it was subscribed again, or as a publisher connected again; null: it did not come back.</param>
public readonly record struct OfflineWindow(bool IsSubscriber, int User, TimeSpan From, TimeSpan? Connected, TimeSpan? Until)
{
    /// <summary>How long it was away; null: it did not come back.</summary>
    public TimeSpan? Length => Until - From;

    /// <summary>True: what is sent to it, or is to be sent by it, at that time finds it away.</summary>
    /// <remarks>
    /// Its end is when the client asks, not when the answer comes: a message and a SUBSCRIBE that are sent at the same time take as long to
    /// the server, and when all come back at once the answer takes as long again.
    /// </remarks>
    public bool Contains(TimeSpan time) => time >= From && !(time >= Connected);
}
