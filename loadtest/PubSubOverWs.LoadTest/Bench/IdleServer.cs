namespace PubSubOverWs.LoadTest.Bench;

/// <summary>What idle connections cost one server.</summary>
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
