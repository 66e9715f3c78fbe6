using System.Buffers;
using System.Buffers.Text;
using System.Text.Json;
using System.Text.Unicode;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Decides how a body travels: as text where SQS allows every character and escaping makes it no longer than base64 would.
/// </summary>
internal static class BodyText
{
    private static readonly SearchValues<byte> Ascii = SearchValues.Create(
        [.. "\t\n\r"u8, .. Enumerable.Range(' ', '~' - ' ' + 1).Select(character => (byte)character)]);
    private static readonly SearchValues<byte> Escaped = SearchValues.Create("\t\n\r\"\\"u8);
    private static readonly SearchValues<byte> Forbidden = SearchValues.Create(
        [.. Enumerable.Range(0, ' ').Where(character => character is not ('\t' or '\n' or '\r')).Select(character => (byte)character)]);

    /// <summary>
    /// True: write <paramref name="body"/> as a JSON string, which <paramref name="encoded"/> is already when it is not null.
    /// </summary>
    public static bool TravelsAsText(ReadOnlySpan<byte> body, out JsonEncodedText? encoded)
    {
        encoded = null;
        if (!body.ContainsAnyExcept(Ascii))
            return body.Length + CountEscapes(body) <= Base64.GetMaxEncodedToUtf8Length(body.Length);
        if (!Utf8.IsValid(body) || body.ContainsAny(Forbidden) || HasNonCharacter(body))
            return false;
        encoded = JsonEncodedText.Encode(body, EnvelopeNames.Escaping);
        return encoded.Value.EncodedUtf8Bytes.Length <= Base64.GetMaxEncodedToUtf8Length(body.Length);
    }

    // Each becomes two characters.
    private static int CountEscapes(ReadOnlySpan<byte> body)
    {
        var count = 0;
        for (var next = body.IndexOfAny(Escaped); next >= 0; next = body.IndexOfAny(Escaped))
        {
            count++;
            body = body[(next + 1)..];
        }
        return count;
    }

    // U+FFFE and U+FFFF. U+D800 to U+DFFF cannot stand in valid UTF-8.
    private static bool HasNonCharacter(ReadOnlySpan<byte> body) =>
        body.IndexOf("\uFFFE"u8) >= 0 || body.IndexOf("\uFFFF"u8) >= 0;
}
