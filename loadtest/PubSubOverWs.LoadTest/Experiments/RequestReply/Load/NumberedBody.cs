using System.Buffers.Text;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

/// <summary>
/// A <see cref="Payload"/> whose id is a number of nine digits and that has no other fields, so that 26 bytes are enough:
/// <c>crc=XXXXXXXX;id=NNNNNNNNN;.....</c>. It is written and read without allocating.
/// </summary>
public static class NumberedBody
{
    /// <summary>Where the eight digits of the checksum are.</summary>
    public const int ChecksumAt = 4;

    public const int ChecksumDigits = 8;

    /// <summary>Where the digits of the number are.</summary>
    public const int NumberAt = 16;

    public const int NumberDigits = 9;

    private const int Covered = 13;

    /// <summary>A body of a size of at least 26 bytes, with the number 0.</summary>
    public static byte[] Create(int size)
    {
        var body = new byte[size];
        body.AsSpan().Fill((byte)'.');
        "crc=00000000;id=000000000;"u8.CopyTo(body);
        Renumber(body, 0);
        return body;
    }

    /// <summary>Writes another number, and the checksum that goes with it.</summary>
    /// <param name="number">0 to 999,999,999.</param>
    public static void Renumber(Span<byte> body, int number)
    {
        for (var i = NumberAt + NumberDigits - 1; i >= NumberAt; i--, number /= 10)
            body[i] = (byte)('0' + (number % 10));
        WriteHex(Payload.Checksum(body[Covered..]), body[ChecksumAt..]);
    }

    /// <summary>True: it is intact.</summary>
    public static bool TryRead(ReadOnlySpan<byte> body, out int number)
    {
        number = 0;
        if (body.Length < NumberAt + NumberDigits + 1 || !body.StartsWith("crc="u8) || !body[(Covered - 1)..].StartsWith(";id="u8))
            return false;
        Span<byte> checksum = stackalloc byte[ChecksumDigits];
        WriteHex(Payload.Checksum(body[Covered..]), checksum);
        return body[ChecksumAt..].StartsWith(checksum)
            && Utf8Parser.TryParse(body.Slice(NumberAt, NumberDigits), out number, out var digits) && digits == NumberDigits && number >= 0;
    }

    private static void WriteHex(uint value, Span<byte> digits)
    {
        for (var i = ChecksumDigits - 1; i >= 0; i--, value >>= 4)
            digits[i] = "0123456789abcdef"u8[(int)(value & 0xF)];
    }
}

/// <summary>
/// A SEND as one WebSocket message, of which only the destination and what identifies the message are written anew for each: 50,000 a
/// second must leave the core to others. Not thread-safe.
/// </summary>
public sealed class SendTemplate
{
    private readonly byte[] _frame;
    private readonly byte[] _body;
    private readonly int _payloadAt;
    private readonly int _bodyAt;

    /// <param name="destination">As long as every later one; a name that needs no escapes.</param>
    /// <param name="replyTo">Where an answer is expected; null: none is.</param>
    /// <param name="bodyBytes">Of the body, 26 or more.</param>
    public SendTemplate(string destination, string? replyTo, int bodyBytes)
    {
        _body = NumberedBody.Create(bodyBytes);
        _frame = StompMessages.Send(destination, replyTo, _body);
        _payloadAt = new FrameHeader(_frame[0], _frame[1]).Bytes;
        _bodyAt = _frame.Length - 1 - bodyBytes;
        DestinationLength = destination.Length;
    }

    /// <summary>Bytes of a destination.</summary>
    public int DestinationLength { get; }

    /// <summary>The frame, valid until the next call.</summary>
    /// <param name="destination">Of <see cref="DestinationLength"/>.</param>
    public ReadOnlySpan<byte> Fill(ReadOnlySpan<byte> destination, int number)
    {
        if (destination.Length != DestinationLength)
            throw new ArgumentException($"A destination of {destination.Length} bytes does not fit the frame.", nameof(destination));
        NumberedBody.Renumber(_body, number);
        Put(destination, _payloadAt + "SEND\ndestination:".Length);
        Put(_body.AsSpan(NumberedBody.ChecksumAt, NumberedBody.ChecksumDigits), _bodyAt + NumberedBody.ChecksumAt);
        Put(_body.AsSpan(NumberedBody.NumberAt, NumberedBody.NumberDigits), _bodyAt + NumberedBody.NumberAt);
        return _frame;
    }

    private void Put(ReadOnlySpan<byte> bytes, int at)
    {
        var mask = _frame.AsSpan(_payloadAt - FrameHeader.MaskBytes, FrameHeader.MaskBytes);
        for (var i = 0; i < bytes.Length; i++)
            _frame[at + i] = (byte)(bytes[i] ^ mask[(at + i - _payloadAt) % FrameHeader.MaskBytes]);
    }
}
