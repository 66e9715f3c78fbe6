namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>How the connections of one user came back.</summary>
/// <param name="Subscriber">When its subscriber was away, in order.</param>
/// <param name="Publisher">When its publisher was away, in order.</param>
/// <param name="Republished">How often it sent a message again that had no answer.</param>
public sealed record Returns(IReadOnlyList<Outage> Subscriber, IReadOnlyList<Outage> Publisher, int Republished)
{
    /// <summary>Of a user whose connection does not come back.</summary>
    public static Returns None { get; } = new([], [], 0);
}

/// <summary>A connection was lost and came back. Stamps are of <see cref="System.Diagnostics.Stopwatch"/>.</summary>
/// <param name="From">The loss was noticed.</param>
/// <param name="Connected">CONNECTED came, and what it came for was sent: SUBSCRIBE, or what a publisher has to publish; null: it did not
/// come back.</param>
/// <param name="Until">A subscriber's SUBSCRIBE was answered; of a publisher, <paramref name="Connected"/>; null: it did not come
/// back.</param>
public readonly record struct Outage(long From, long? Connected, long? Until);
