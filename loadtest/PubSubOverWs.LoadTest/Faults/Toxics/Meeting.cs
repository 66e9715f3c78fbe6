namespace PubSubOverWs.LoadTest.Faults.Toxics;

/// <summary>A toxic befalls a connection.</summary>
/// <param name="Now">When, on the proxy's clock.</param>
/// <param name="AtOpening">The toxic was there when the connection opened; false: it came later.</param>
/// <param name="Random">Of this connection and toxic alone, so that the same seed draws the same again.</param>
public readonly record struct Meeting(TimeSpan Now, bool AtOpening, Random Random);
