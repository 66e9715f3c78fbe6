namespace PubSubOverWs.LoadTest.Bench.Misbehaving;

/// <summary>What well-behaved clients found in one leg, at a fixed rate.</summary>
/// <param name="Copies">That were to come to them.</param>
/// <param name="Missing">That did not come within the patience of the bench, those of the unmeasured part before the leg included.</param>
/// <param name="P50Milliseconds">From when a message was due.</param>
/// <param name="P99Milliseconds">Likewise.</param>
public sealed record WellBehavedLeg(int Copies, int Missing, double P50Milliseconds, double P99Milliseconds);
