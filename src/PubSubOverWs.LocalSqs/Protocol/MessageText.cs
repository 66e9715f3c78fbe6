using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Unicode;

namespace PubSubOverWs.LocalSqs;

/// <summary>Reads texts from a request, and checks that SQS accepts their characters.</summary>
internal static class MessageText
{
    // #x9 #xA #xD and #x20 upwards; JSON allows the others only as escapes.
    private static readonly SearchValues<byte> Forbidden = SearchValues.Create(
        [.. Enumerable.Range(0, 0x20).Select(value => (byte)value).Where(value => value is not (0x9 or 0xA or 0xD))]);

    /// <summary>A message body: the reader stands on the string. Null: it has a character that SQS does not accept.</summary>
    public static MessageBody? Read(ref Utf8JsonReader reader, ReadOnlySpan<byte> request)
    {
        var literal = request[(int)reader.TokenStartIndex..(int)reader.BytesConsumed];
        if (!reader.ValueIsEscaped)
            return IsAllowed(reader.ValueSpan)
                ? new MessageBody(literal.ToArray(), reader.ValueSpan.Length, Md5Sum.Compute(reader.ValueSpan))
                : null;

        var text = ArrayPool<byte>.Shared.Rent(reader.ValueSpan.Length);
        try
        {
            return TryUnescape(ref reader, text, out var length)
                ? new MessageBody(literal.ToArray(), length, Md5Sum.Compute(text.AsSpan(0, length)))
                : null;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(text);
        }
    }

    /// <summary>The same for a text without escapes, in UTF-8.</summary>
    public static MessageBody? Create(ReadOnlySpan<byte> text)
    {
        if (!IsAllowed(text) || text.ContainsAny(Forbidden))
            return null;
        var escaped = JsonEncodedText.Encode(text, JavaScriptEncoder.UnsafeRelaxedJsonEscaping).EncodedUtf8Bytes;
        return new MessageBody([(byte)'"', .. escaped, (byte)'"'], text.Length, Md5Sum.Compute(text));
    }

    /// <summary>
    /// A text in UTF-8, without its escapes: the reader stands on the string. Null: it has a character that SQS does not take.
    /// </summary>
    public static byte[]? ReadUtf8(ref Utf8JsonReader reader)
    {
        if (!reader.ValueIsEscaped)
            return IsAllowed(reader.ValueSpan) ? reader.ValueSpan.ToArray() : null;
        var text = new byte[reader.ValueSpan.Length];
        return TryUnescape(ref reader, text, out var length) ? text[..length] : null;
    }

    /// <summary>False: it has a character that SQS does not accept.</summary>
    private static bool TryUnescape(ref Utf8JsonReader reader, Span<byte> text, out int length)
    {
        length = 0;
        try
        {
            length = reader.CopyString(text);
        }
        catch (InvalidOperationException)
        {
            // Half of a surrogate pair, or bytes that are not UTF-8.
            return false;
        }
        var unescaped = text[..length];
        return IsAllowed(unescaped) && !unescaped.ContainsAny(Forbidden);
    }

    /// <summary>Valid UTF-8 without U+FFFE and U+FFFF.</summary>
    private static bool IsAllowed(ReadOnlySpan<byte> text) =>
        Utf8.IsValid(text) && (!text.Contains((byte)0xEF) || (text.IndexOf("\uFFFE"u8) < 0 && text.IndexOf("\uFFFF"u8) < 0));
}
