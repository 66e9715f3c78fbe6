using System.Security.Cryptography;

namespace PubSubOverWs.Relay;

/// <summary>This process among all nodes: drawn at its start, so that no restart repeats an id.</summary>
public sealed class NodeId
{
    internal const int Length = 6;

    /// <summary>Six lower-case letters and digits.</summary>
    public string Value { get; } = RandomNumberGenerator.GetString("abcdefghijkmnpqrstuvwxyz23456789", Length);
}
