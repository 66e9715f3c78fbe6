using PubSubOverWs.LoadTest.Faults.Proxying;

namespace PubSubOverWs.LoadTest.Faults.Control;

/// <summary>What a proxy tells of itself.</summary>
/// <param name="Address">Where clients connect.</param>
/// <param name="Counts">Since it began.</param>
/// <param name="Events">Every order that was carried out, from the first.</param>
/// <param name="Planned">How many orders are not due yet.</param>
/// <param name="Failure">Why an order that was due could not be carried out; null: all could.</param>
public sealed record ProxyState(Uri Address, ProxyCounts Counts, IReadOnlyList<ProxyEvent> Events, int Planned, string? Failure);
