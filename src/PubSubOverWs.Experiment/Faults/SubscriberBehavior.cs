namespace PubSubOverWs.Experiment.Faults;

/// <summary>How subscribers come back after they lost their connection, and how fast they read.</summary>
public sealed record SubscriberBehavior
{
    /// <summary>They back off as publishers do, and read what comes.</summary>
    public static SubscriberBehavior Usual { get; } = new();

    /// <summary>How long a subscriber stays away; zero: it backs off as a publisher does.</summary>
    public TimeSpan Away { get; init; }

    /// <summary>How many of the subscribers read slowly: 0 to 1, rounded to whole ones.</summary>
    public double SlowShare { get; init; }

    /// <summary>What each of them reads at most, in bytes a second.</summary>
    public int SlowBytesPerSecond { get; init; } = int.MaxValue;
}
