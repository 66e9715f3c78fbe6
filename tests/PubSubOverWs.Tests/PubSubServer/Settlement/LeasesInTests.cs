using PubSubOverWs.PubSubServer;

namespace PubSubOverWs.Tests.PubSubServer;

internal static class LeasesInTests
{
    /// <summary>Adds what one receive brought. Those for which there was no memory.</summary>
    public static IReadOnlyList<Lease> Add(this Leases leases, IReadOnlyList<Lease> received)
    {
        var setAside = InFlightBudget.PerReceive;
        return received.Where(lease =>
        {
            var isRoom = leases.TryAdd(lease, setAside);
            setAside = Math.Max(0, setAside - lease.SizeCounted);
            return !isRoom;
        }).ToList();
    }
}
