using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>
/// The <c>message-id</c> header of a MESSAGE: <c>CONNECTION-SUBSCRIPTION-NUMBER</c>, unique for each frame over all nodes.
/// </summary>
internal static class MessageId
{
    /// <summary>Of all ids of one subscription; the number follows.</summary>
    public static string StartOf(string connection, int subscription) => $"{connection}-{subscription}-";

    /// <summary>The end that <see cref="AckId"/> reads; empty when the id is not of this connection.</summary>
    public static ReadOnlySpan<byte> AckIdOf(string connection, ReadOnlySpan<byte> messageId) =>
        messageId.Length > connection.Length && messageId[connection.Length] == '-'
            && Ascii.Equals(messageId[..connection.Length], connection)
            ? messageId[(connection.Length + 1)..]
            : [];
}
