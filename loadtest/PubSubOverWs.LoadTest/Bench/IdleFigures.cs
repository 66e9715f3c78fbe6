using PubSubOverWs.LoadTest.Targets.Relay;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>What idle connections cost each server.</summary>
/// <param name="Servers">In the order in which they ran.</param>
public sealed record IdleFigures(IReadOnlyList<IdleServer> Servers)
{
    /// <summary>
    /// Memory of a connection, direct over echo; null: one of them did not run, or too few connections for the echo to grow.
    /// </summary>
    public double? Ratio => BytesOf("null-echo") is > 0 and var echo ? BytesOf(DirectTarget.Kind) / echo : null;

    private double? BytesOf(string server) => Servers.FirstOrDefault(one => one.Server == server)?.BytesPerConnection;
}
