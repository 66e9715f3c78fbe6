using System.Buffers.Text;
using System.Globalization;
using System.Text.Json;
using System.Text.Unicode;

namespace PubSubOverWs.LocalSqs;

/// <summary>Parts that several answers share.</summary>
internal static class AnswerJson
{
    /// <summary>
    /// A message id looks like a UUID, as that of SQS does: the process's own 64 random bits, and the message's number.
    /// </summary>
    private static readonly string ProcessPart = Guid.NewGuid().ToString("D", CultureInfo.InvariantCulture)[..19];

    public static void WriteMessageId(this Utf8JsonWriter json, ulong number)
    {
        Span<byte> id = stackalloc byte[36];
        Utf8.TryWrite(id, CultureInfo.InvariantCulture, $"{ProcessPart}{number >> 48:x4}-{number & 0xFFFF_FFFF_FFFF:x12}", out _);
        json.WriteString("MessageId"u8, id);
    }

    public static void WriteMd5(this Utf8JsonWriter json, ReadOnlySpan<byte> name, Md5Sum md5)
    {
        Span<byte> digits = stackalloc byte[32];
        md5.WriteTo(digits);
        json.WriteString(name, digits);
    }

    public static void WriteReceiptHandle(this Utf8JsonWriter json, ReceiptHandle handle)
    {
        Span<byte> text = stackalloc byte[ReceiptHandle.MaxLength];
        var length = handle.WriteTo(text);
        json.WriteString("ReceiptHandle"u8, text[..length]);
    }

    /// <summary>SQS writes the numbers among the attributes as strings.</summary>
    public static void WriteNumberText(this Utf8JsonWriter json, ReadOnlySpan<byte> name, long number)
    {
        Span<byte> digits = stackalloc byte[20];
        Utf8Formatter.TryFormat(number, digits, out var length);
        json.WriteString(name, digits[..length]);
    }
}
