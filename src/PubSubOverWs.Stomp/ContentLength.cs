namespace PubSubOverWs.Stomp;

/// <summary>The optional <c>content-length</c> header: how many octets the body has.</summary>
internal static class ContentLength
{
    /// <summary>There is no such header: the body ends at its first NUL.</summary>
    public const int None = -1;

    // More digits than any limit has, and few enough that a long holds them.
    private const int MostDigits = 18;

    /// <summary>False: <paramref name="malformed"/> is not a number of octets, or differs from an earlier such header.</summary>
    public static bool TryRead(
        ReadOnlySpan<HeaderSlot> slots, ReadOnlySpan<byte> frame, byte[]? scratch, out long length, out ReadOnlySpan<byte> malformed)
    {
        length = None;
        malformed = default;
        foreach (ref readonly var slot in slots)
        {
            if (slot.NameLength != StompNames.ContentLength.Length
                || !slot.Name(frame, scratch).SequenceEqual(StompNames.ContentLength))
                continue;
            malformed = slot.Value(frame, scratch);
            var earlier = length;
            if (!TryParse(malformed, out length) || (earlier != None && earlier != length))
                return false;
        }
        return true;
    }

    /// <summary>Digits only: no sign, no space.</summary>
    private static bool TryParse(ReadOnlySpan<byte> value, out long length)
    {
        length = 0;
        foreach (var digit in value)
        {
            if (!char.IsAsciiDigit((char)digit))
                return false;
            length = length * 10 + (digit - '0');
        }
        return value.Length is > 0 and <= MostDigits;
    }
}
