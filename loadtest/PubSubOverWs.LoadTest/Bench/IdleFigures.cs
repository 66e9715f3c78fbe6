namespace PubSubOverWs.LoadTest.Bench;

/// <summary>What idle connections cost each server.</summary>
/// <param name="Servers">In the order in which they ran.</param>
public sealed record IdleFigures(IReadOnlyList<IdleServer> Servers)
{
    /// <summary>Memory of a connection, direct over echo; null: one of them did not run.</summary>
    public double? Ratio => BytesOf("direct") / BytesOf("null-echo");

    private double? BytesOf(string server) => Servers.FirstOrDefault(one => one.Server == server)?.BytesPerConnection;
}
