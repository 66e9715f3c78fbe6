using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>The raw relay connection that published an envelope and waits for its own message.</summary>
/// <param name="Node">The server process that has the connection.</param>
/// <param name="Connection">The connection's id, unique over all nodes.</param>
internal sealed record EnvelopeOrigin(string Node, string Connection)
{
    /// <summary>Reads it out of <c>/raw/NODE.NUMBER</c>; null for any other destination.</summary>
    public static EnvelopeOrigin? Of(Message message)
    {
        if (!DestinationName.IsRaw(message.Destination))
            return null;
        var connection = message.Destination[(message.Destination.LastIndexOf('/') + 1)..];
        return new EnvelopeOrigin(connection.Split('.')[0], connection);
    }
}
