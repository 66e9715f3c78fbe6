namespace PubSubOverWs.LoadTest.Faults.Control;

/// <summary>An order that was carried out.</summary>
/// <param name="Stamp">When, as <see cref="System.Diagnostics.Stopwatch.GetTimestamp"/> says it: one clock for all processes of a
/// machine.</param>
/// <param name="Do">What.</param>
/// <param name="Detail">For example how many connections were cut, or which toxics there are now.</param>
public sealed record ProxyEvent(long Stamp, OrderKind Do, string Detail);
