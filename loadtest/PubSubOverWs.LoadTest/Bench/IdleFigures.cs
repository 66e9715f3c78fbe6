using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>The cost of idle connections to each server.</summary>
/// <param name="Servers">In the order in which they ran.</param>
public sealed record IdleFigures(IReadOnlyList<IdleServer> Servers)
{
    /// <summary>
    /// Memory of a connection, direct over echo; null: one of them did not run, or too few connections for the echo to grow.
    /// </summary>
    public double? Ratio => BytesOf("null-echo") is > 0 and var echo ? BytesOf(DirectTarget.Kind) / echo : null;

    private double? BytesOf(string server) => Servers.FirstOrDefault(one => one.Server == server)?.BytesPerConnection;
}

/// <summary>The cost of idle connections to one server.</summary>
/// <param name="Server">direct or null-echo.</param>
/// <param name="Connections">That were open at the same time.</param>
/// <param name="ResidentBytesBefore">Memory of the process with none.</param>
/// <param name="ResidentBytesAfter">With all of them, after they came to rest.</param>
/// <param name="FirstConnectSeconds">
/// From the first to the last: TCP, upgrade, and CONNECT to CONNECTED (the echo: one frame of that size, there and back). Both processes
/// are fresh and still compile.
/// </param>
/// <param name="ConnectSeconds">The same once more, after all of them had left.</param>
public sealed record IdleServer(
    string Server, int Connections, long ResidentBytesBefore, long ResidentBytesAfter, double FirstConnectSeconds, double ConnectSeconds)
{
    public double BytesPerConnection => (double)(ResidentBytesAfter - ResidentBytesBefore) / Connections;

    public double FirstConnectsPerSecond => Connections / FirstConnectSeconds;

    public double ConnectsPerSecond => Connections / ConnectSeconds;
}
