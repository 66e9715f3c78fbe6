using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

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
    /// <param name="number">Of the message.</param>
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
