using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>Where an envelope was published.</summary>
/// <param name="Node">The server process.</param>
/// <param name="Connection">Raw relay only: the connection that waits for its own message; null otherwise.</param>
internal readonly record struct EnvelopeOrigin(string Node, string? Connection)
{
    private const string RawPrefix = "/raw/";

    /// <summary>Reads the connection out of <c>/raw/NODE/CONNECTION</c>.</summary>
    public static EnvelopeOrigin Of(string node, Message message)
    {
        if (!message.Destination.StartsWith(RawPrefix, StringComparison.Ordinal))
            return new EnvelopeOrigin(node, null);
        return new EnvelopeOrigin(node, message.Destination[(message.Destination.LastIndexOf('/') + 1)..]);
    }
}
