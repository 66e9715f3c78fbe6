namespace PubSubOverWs.Relay;

/// <summary>A published message, immutable, on its way from one connection to others.</summary>
/// <param name="Id">The application id: the SEND header <c>id</c>, or a minted one. The same in every copy and every redelivery.</param>
/// <param name="Destination"><c>/queue/NAME</c>, <c>/topic/NAME</c>, or <c>/raw/NODE.CONNECTION</c> for what a raw relay client
/// sent.</param>
/// <param name="Headers">What the sender added and every receiver sees, unescaped; without <c>id</c> and the protocol's own
/// headers.</param>
/// <param name="Body">Owned by the message: never a slice of a receive buffer.</param>
/// <param name="IsText">It came in a WebSocket text message, so the body is valid UTF-8.</param>
public sealed record Message(
    string Id, string Destination, IReadOnlyList<KeyValuePair<string, string>> Headers, ReadOnlyMemory<byte> Body, bool IsText)
{
    // Two references and two strings' own overhead.
    private const int PerHeader = 64;

    /// <summary>What its body, id, destination and headers take in memory, in bytes.</summary>
    public int Size { get; } = Body.Length + (PerHeader * Headers.Count)
        + (sizeof(char) * (Id.Length + Destination.Length + CharactersOf(Headers)));

    private static int CharactersOf(IReadOnlyList<KeyValuePair<string, string>> headers)
    {
        var characters = 0;
        for (var i = 0; i < headers.Count; i++)
            characters += headers[i].Key.Length + headers[i].Value.Length;
        return characters;
    }
}
