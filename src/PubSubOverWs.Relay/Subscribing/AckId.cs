using System.Buffers.Text;

namespace PubSubOverWs.Relay;

/// <summary>
/// The <c>ack</c> header of a MESSAGE: <c>SUBSCRIPTION-NUMBER</c>, both counted from 1, so that a session can tell an id that it
/// never issued from one that is settled without keeping the settled ones.
/// </summary>
internal static class AckId
{
    public const int MaxLength = 10 + 1 + 20;

    public static ReadOnlySpan<byte> Write(int subscription, long number, Span<byte> buffer)
    {
        Utf8Formatter.TryFormat(subscription, buffer, out var length);
        buffer[length++] = (byte)'-';
        Utf8Formatter.TryFormat(number, buffer[length..], out var digits);
        return buffer[..(length + digits)];
    }

    /// <summary>Reads the end of an <c>ack</c> or a <c>message-id</c> header, which ends in the same two numbers.</summary>
    public static bool TryRead(ReadOnlySpan<byte> id, out int subscription, out long number)
    {
        subscription = 0;
        number = 0;
        var last = id.LastIndexOf((byte)'-');
        if (last < 0)
            return false;
        var first = id[..last].LastIndexOf((byte)'-') + 1;
        return Utf8Parser.TryParse(id[first..last], out subscription, out var read) && read == last - first
            && Utf8Parser.TryParse(id[(last + 1)..], out number, out read) && read == id.Length - last - 1;
    }
}
