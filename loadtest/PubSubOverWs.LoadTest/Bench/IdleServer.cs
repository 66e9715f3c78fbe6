namespace PubSubOverWs.LoadTest.Bench;

/// <summary>What idle connections cost one server.</summary>
/// <param name="Server">direct or null-echo.</param>
/// <param name="Connections">That were open at the same time.</param>
/// <param name="ResidentBytesBefore">Memory of the process with none.</param>
/// <param name="ResidentBytesAfter">With all of them, after they came to rest.</param>
/// <param name="ConnectSeconds">From the first to the last: TCP, upgrade, and CONNECT to CONNECTED (the echo: one frame of that size, there and back).</param>
public sealed record IdleServer(string Server, int Connections, long ResidentBytesBefore, long ResidentBytesAfter, double ConnectSeconds)
{
    public double BytesPerConnection => (double)(ResidentBytesAfter - ResidentBytesBefore) / Connections;

    public double ConnectsPerSecond => Connections / ConnectSeconds;
}
