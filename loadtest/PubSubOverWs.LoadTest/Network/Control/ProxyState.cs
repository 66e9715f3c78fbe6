using PubSubOverWs.LoadTest.Network.Proxy;

namespace PubSubOverWs.LoadTest.Network.Control;

/// <summary>What a proxy tells of itself.</summary>
/// <param name="Address">Where clients connect.</param>
/// <param name="Counts">Since it began.</param>
/// <param name="Events">Every order that was carried out, from the first.</param>
/// <param name="Planned">How many orders are not due yet.</param>
/// <param name="Failure">Why an order that was due could not be carried out; null: all could.</param>
public sealed record ProxyState(Uri Address, ProxyCounts Counts, IReadOnlyList<ProxyEvent> Events, int Planned, string? Failure);

/// <summary>An order that was carried out.</summary>
/// <param name="Stamp">When, as <see cref="System.Diagnostics.Stopwatch.GetTimestamp"/> says it: one clock for all processes of a
/// machine.</param>
/// <param name="Do">What.</param>
/// <param name="Detail">For example how many connections were cut, or which toxics there are now.</param>
public sealed record ProxyEvent(long Stamp, OrderKind Do, string Detail);
