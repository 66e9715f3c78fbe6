using System.Buffers;

namespace PubSubOverWs.Stomp;

/// <summary>The escapes of header names and values, https://stomp.github.io/stomp-specification-1.2.html#Value_Encoding.</summary>
internal static class Escapes
{
    /// <summary>Characters that must be escaped in a header, when escapes are in force.</summary>
    public static readonly SearchValues<byte> Escaped = SearchValues.Create("\\:\n\r\0"u8);

    /// <summary>Characters that a name cannot have when there are no escapes; a value can have a colon.</summary>
    public static readonly SearchValues<byte> PlainName = SearchValues.Create(":\n\r\0"u8);

    public static readonly SearchValues<byte> PlainValue = SearchValues.Create("\n\r\0"u8);

    /// <summary>
    /// Writes <paramref name="escaped"/> without its escapes to <paramref name="plain"/>, which is at least as long. False: an escape that
    /// the version does not define.
    /// </summary>
    public static bool TryUnescape(ReadOnlySpan<byte> escaped, StompVersion version, Span<byte> plain, out int written)
    {
        written = 0;
        while (true)
        {
            var backslash = escaped.IndexOf((byte)'\\');
            if (backslash < 0)
            {
                escaped.CopyTo(plain[written..]);
                written += escaped.Length;
                return true;
            }
            escaped[..backslash].CopyTo(plain[written..]);
            written += backslash;
            if (backslash + 1 == escaped.Length || !TryMeaning(escaped[backslash + 1], version, out plain[written]))
                return false;
            written++;
            escaped = escaped[(backslash + 2)..];
        }
    }

    /// <summary>
    /// The letter after the backslash for an octet of <see cref="Escaped"/>; 0 when the version has none: then a space is written,
    /// because a raw line end or NUL would end the header or the frame.
    /// </summary>
    public static byte Letter(byte octet, StompVersion version) => octet switch
    {
        (byte)'\\' => (byte)'\\',
        (byte)':' => (byte)'c',
        (byte)'\n' => (byte)'n',
        (byte)'\r' when version == StompVersion.V12 => (byte)'r',
        _ => 0,
    };

    private static bool TryMeaning(byte letter, StompVersion version, out byte octet)
    {
        octet = letter switch
        {
            (byte)'\\' => (byte)'\\',
            (byte)'c' => (byte)':',
            (byte)'n' => (byte)'\n',
            (byte)'r' when version == StompVersion.V12 => (byte)'\r',
            _ => 0,
        };
        return octet != 0;
    }
}
