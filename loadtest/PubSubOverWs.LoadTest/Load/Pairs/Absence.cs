namespace PubSubOverWs.LoadTest.Load.Pairs;

/// <summary>A connection was lost and came back. Stamps are of <see cref="System.Diagnostics.Stopwatch"/>.</summary>
/// <param name="From">The loss was noticed.</param>
/// <param name="Connected">CONNECTED came, and what it came for was sent: SUBSCRIBE, or what a publisher has to publish; null: it did not
/// come back.</param>
/// <param name="Until">A subscriber's SUBSCRIBE was answered; of a publisher, <paramref name="Connected"/>; null: it did not come
/// back.</param>
public readonly record struct Absence(long From, long? Connected, long? Until);
