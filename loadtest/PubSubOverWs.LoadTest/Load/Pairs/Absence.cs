namespace PubSubOverWs.LoadTest.Load.Pairs;

/// <summary>A connection was lost and came back. Stamps are of <see cref="System.Diagnostics.Stopwatch"/>.</summary>
/// <param name="From">The loss was noticed.</param>
/// <param name="Until">A subscriber's SUBSCRIBE was answered, a publisher was connected; null: it did not come back.</param>
public readonly record struct Absence(long From, long? Until);
