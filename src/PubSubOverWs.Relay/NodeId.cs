using System.Security.Cryptography;

namespace PubSubOverWs.Relay;

/// <summary>This process among all nodes: drawn at its start, so that no restart repeats an id.</summary>
public sealed class NodeId
{
    private const int Length = 6;

    private long _lastConnection;

    /// <summary>Six lower-case letters and digits.</summary>
    public string Value { get; } = RandomNumberGenerator.GetString("abcdefghijkmnpqrstuvwxyz23456789", Length);

    /// <summary>An id for a connection, unique over all nodes.</summary>
    internal string NextConnectionId() => $"{Value}.{Interlocked.Increment(ref _lastConnection)}";
}
