using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>
/// The <c>message-id</c> header of a MESSAGE: <c>CONNECTION-SUBSCRIPTION-NUMBER</c>, unique for each frame over all nodes.
/// </summary>
internal static class MessageId
{
    public const int MaxLength = NodeId.MaxConnectionIdLength + 1 + AckId.MaxLength;

    public static ReadOnlySpan<byte> Write(string connection, scoped ReadOnlySpan<byte> ackId, Span<byte> buffer)
    {
        var length = Encoding.ASCII.GetBytes(connection, buffer);
        buffer[length++] = (byte)'-';
        ackId.CopyTo(buffer[length..]);
        return buffer[..(length + ackId.Length)];
    }

    /// <summary>The end that <see cref="AckId"/> reads; empty when the id is not of this connection.</summary>
    public static ReadOnlySpan<byte> AckIdOf(string connection, ReadOnlySpan<byte> messageId) =>
        messageId.Length > connection.Length && messageId[connection.Length] == '-'
            && Ascii.Equals(messageId[..connection.Length], connection)
            ? messageId[(connection.Length + 1)..]
            : [];
}
