using System.Buffers.Text;
using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>
/// The <c>message-id</c> header of a MESSAGE, and its <c>ack</c> header: <c>CONNECTION-SUBSCRIPTION-NUMBER</c>, with subscriptions and
/// their messages counted from 1. Unique for each frame over all nodes, so that a session can tell an id that it never issued, such as one
/// of an earlier connection, from one that is settled, without keeping the settled ones.
/// </summary>
internal static class MessageId
{
    /// <summary>Of all ids of one subscription; the number follows.</summary>
    public static string StartOf(string connection, int subscription) => $"{connection}-{subscription}-";

    /// <summary>False: no message of the connection has such an id.</summary>
    public static bool TryRead(string connection, ReadOnlySpan<byte> id, out int subscription, out long number)
    {
        (subscription, number) = (0, 0);
        if (id.Length <= connection.Length || id[connection.Length] != '-' || !Ascii.Equals(id[..connection.Length], connection))
            return false;
        var counts = id[(connection.Length + 1)..];
        return Utf8Parser.TryParse(counts, out subscription, out var digits) && StartsCounted(counts)
            && digits < counts.Length && counts[digits] == '-' && StartsCounted(counts[(digits + 1)..])
            && Utf8Parser.TryParse(counts[(digits + 1)..], out number, out var more) && digits + 1 + more == counts.Length;
    }

    // No sign, and no zero in front.
    private static bool StartsCounted(ReadOnlySpan<byte> digits) => !digits.IsEmpty && digits[0] is >= (byte)'1' and <= (byte)'9';
}
