using System.Buffers;
using System.Text.Json;
using System.Text.Unicode;

namespace PubSubOverWs.LocalSqs;

/// <summary>Reads a message body from a request, and sees that its characters are those that SQS takes.</summary>
internal static class MessageText
{
    // #x9 #xA #xD and #x20 upwards; JSON lets the others in only as escapes.
    private static readonly SearchValues<byte> Forbidden = SearchValues.Create(
        [.. Enumerable.Range(0, 0x20).Select(value => (byte)value).Where(value => value is not (0x9 or 0xA or 0xD))]);

    /// <summary>The reader stands on the string. Null: it has a character that SQS does not take.</summary>
    public static MessageBody? Read(ref Utf8JsonReader reader, ReadOnlySpan<byte> request)
    {
        var literal = request[(int)reader.TokenStartIndex..(int)reader.BytesConsumed];
        if (!reader.ValueIsEscaped)
            return IsAllowed(reader.ValueSpan) ? new MessageBody(literal.ToArray(), reader.ValueSpan.Length, Md5Sum.Of(reader.ValueSpan)) : null;

        var text = ArrayPool<byte>.Shared.Rent(reader.ValueSpan.Length);
        try
        {
            var unescaped = text.AsSpan(0, reader.CopyString(text));
            return IsAllowed(unescaped) && !unescaped.ContainsAny(Forbidden)
                ? new MessageBody(literal.ToArray(), unescaped.Length, Md5Sum.Of(unescaped))
                : null;
        }
        catch (InvalidOperationException)
        {
            // Half of a surrogate pair, or octets that are no UTF-8.
            return null;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(text);
        }
    }

    /// <summary>Valid UTF-8 without U+FFFE and U+FFFF.</summary>
    private static bool IsAllowed(ReadOnlySpan<byte> text) =>
        Utf8.IsValid(text) && (!text.Contains((byte)0xEF) || (text.IndexOf("\uFFFE"u8) < 0 && text.IndexOf("\uFFFF"u8) < 0));
}
