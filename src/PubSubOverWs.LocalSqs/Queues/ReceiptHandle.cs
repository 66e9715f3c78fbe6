using System.Globalization;
using System.Text.Unicode;

namespace PubSubOverWs.LocalSqs;

/// <summary>Names one receive of one message of one queue. Opaque to callers: <c>queue-message-receive</c> in hexadecimal digits.</summary>
public readonly record struct ReceiptHandle(uint Queue, ulong Number, uint Receipt)
{
    /// <summary>The longest: 8, 16 and 8 digits.</summary>
    public const int MaxLength = 34;

    /// <summary>The bytes written.</summary>
    public int WriteTo(Span<byte> utf8)
    {
        Utf8.TryWrite(utf8, CultureInfo.InvariantCulture, $"{Queue:x}-{Number:x}-{Receipt:x}", out var written);
        return written;
    }

    public static bool TryParse(ReadOnlySpan<byte> utf8, out ReceiptHandle handle)
    {
        handle = default;
        var first = utf8.IndexOf((byte)'-');
        var last = utf8.LastIndexOf((byte)'-');
        if (first == last || utf8.Length > MaxLength
            || !TryParseHex(utf8[..first], out uint queue)
            || !TryParseHex(utf8[(first + 1)..last], out ulong number)
            || !TryParseHex(utf8[(last + 1)..], out uint receipt))
        {
            return false;
        }
        handle = new ReceiptHandle(queue, number, receipt);
        return true;
    }

    private static bool TryParseHex<T>(ReadOnlySpan<byte> digits, out T value)
        where T : System.Numerics.IBinaryInteger<T> =>
        T.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out value!);
}
