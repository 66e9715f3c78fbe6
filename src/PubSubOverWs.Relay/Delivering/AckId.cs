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

    /// <summary>False: <see cref="Write"/> does not write such an id.</summary>
    public static bool TryRead(ReadOnlySpan<byte> id, out int subscription, out long number)
    {
        number = 0;
        return Utf8Parser.TryParse(id, out subscription, out var digits) && StartsCounted(id)
            && digits < id.Length && id[digits] == '-' && StartsCounted(id[(digits + 1)..])
            && Utf8Parser.TryParse(id[(digits + 1)..], out number, out var more) && digits + 1 + more == id.Length;
    }

    // No sign, and no zero in front.
    private static bool StartsCounted(ReadOnlySpan<byte> digits) => !digits.IsEmpty && digits[0] is >= (byte)'1' and <= (byte)'9';
}
