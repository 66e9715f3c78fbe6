namespace PubSubOverWs.LoadTest.Bench;

/// <summary>The load of a leg.</summary>
/// <param name="Connections">Each has a destination of its own.</param>
/// <param name="Depth">Messages that each keeps under way.</param>
/// <param name="BodyBytes">Octets of a body.</param>
/// <param name="IsEcho">The server knows no STOMP: no CONNECT, no SUBSCRIBE, and a SEND comes back as it is.</param>
public sealed record LoadShape(int Connections, int Depth, int BodyBytes, bool IsEcho);
