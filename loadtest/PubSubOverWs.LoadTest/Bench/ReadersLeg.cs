namespace PubSubOverWs.LoadTest.Bench;

/// <summary>What readers found in one leg, at a fixed rate.</summary>
/// <param name="Side">What stood beside them.</param>
/// <param name="Messages">That they sent, each to its sender.</param>
/// <param name="Missing">That did not come back within the patience of the bench; they are in no percentile.</param>
/// <param name="P50Milliseconds">From when a message was due.</param>
/// <param name="P99Milliseconds">Likewise.</param>
/// <param name="ResidentBytes">Of the server's process at the end of the leg.</param>
/// <param name="HeapBytes">Of that its managed heap, what is not yet collected included.</param>
/// <param name="Collections">Of the server's heap during the leg, by generation.</param>
/// <param name="Slow">Connections that the server had ended by then because they did not read.</param>
public sealed record ReadersLeg(
    ReadersSide Side, int Messages, int Missing, double P50Milliseconds, double P99Milliseconds, long ResidentBytes, long HeapBytes, IReadOnlyList<long> Collections, long Slow);
