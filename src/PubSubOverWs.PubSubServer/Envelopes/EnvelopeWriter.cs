using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Text;
using System.Text.Json;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>Writes envelopes. One per thread at most is being written, so the buffer is the thread's.</summary>
internal static class EnvelopeWriter
{
    private const int KeptBufferBytes = 64 * 1024;

    // ,"deliveries": and "parked":, with the longest numbers that they can have.
    private const int BytesOfDeliveries = 14 + 10;
    private const int BytesOfParked = 10 + 19;

    // {"id":"","destination":"","headers":{},"body64":"","text":false}, and a comma.
    private const int BytesOfNames = 70;

    // \u0000, for a character that counts twice in a message's size.
    private const int LongestEscape = 6;

    private static readonly byte[] HeadWithoutOrigin = Encoding.UTF8.GetBytes($$"""{"version":{{Envelope.Version}},"messages":[""");
    private static readonly byte[] HeadOfParked = Encoding.UTF8.GetBytes($$"""{"version":{{Envelope.Version}},"parked":""");

    [ThreadStatic]
    private static ArrayBufferWriter<byte>? _buffer;

    [ThreadStatic]
    private static Utf8JsonWriter? _json;

    /// <summary>A whole envelope: UTF-8 of only those characters that SQS takes. How long it may be is the caller's to check.</summary>
    public static byte[] Write(EnvelopeOrigin? origin, IReadOnlyList<Message> messages) =>
        Wrap(origin, [new Outgoing(origin, WriteMessages(messages))]);

    /// <summary>
    /// The elements of an envelope's array of messages, with commas between them: what several publishes have can be put together.
    /// </summary>
    /// <param name="messages">One or more.</param>
    /// <param name="deliveries">How often each was handed to a subscriber.</param>
    public static byte[] WriteMessages(IReadOnlyList<Message> messages, int deliveries = 0)
    {
        var buffer = _buffer ??= new ArrayBufferWriter<byte>(1024);
        // SkipValidation: the shape is fixed by the code below, and a repeated header name is legal here.
        var json = _json ??= new Utf8JsonWriter(buffer, new JsonWriterOptions { Encoder = EnvelopeNames.Escaping, SkipValidation = true });
        for (var i = 0; i < messages.Count; i++)
        {
            if (i > 0)
                buffer.Write(","u8);
            json.Reset(buffer);
            Write(json, messages[i], deliveries);
            json.Flush();
        }
        var written = buffer.WrittenSpan.ToArray();
        buffer.ResetWrittenCount();
        if (buffer.Capacity > KeptBufferBytes)
            (_buffer, _json) = (null, null);
        return written;
    }

    /// <summary>One envelope of what these publishes have.</summary>
    public static byte[] Wrap(EnvelopeOrigin? origin, ReadOnlySpan<Outgoing> publishes)
    {
        var head = Head(origin);
        var length = head.Length + Tail.Length + publishes.Length - 1;
        foreach (var publish in publishes)
            length += publish.Messages.Length;
        var envelope = new byte[length];
        var at = Copy(head, envelope, 0);
        for (var i = 0; i < publishes.Length; i++)
        {
            if (i > 0)
                at = Copy(","u8, envelope, at);
            at = Copy(publishes[i].Messages.Span, envelope, at);
        }
        Copy(Tail, envelope, at);
        return envelope;
    }

    /// <summary>An envelope for the parked queue, which has no raw relay connection's.</summary>
    /// <param name="parkedAt"><see cref="ParkedDestinations.Stamp"/>.</param>
    /// <param name="messages">Of <see cref="WriteMessages"/>.</param>
    public static byte[] WrapParked(long parkedAt, ReadOnlySpan<byte> messages) =>
        [
            .. HeadOfParked, .. Encoding.UTF8.GetBytes(parkedAt.ToString(CultureInfo.InvariantCulture)),
            .. ",\"messages\":["u8, .. messages, .. Tail,
        ];

    /// <summary>
    /// The most bytes that an envelope around so many bytes of messages will have: one that is sent on says how often each message was
    /// delivered, and one that is parked when.
    /// </summary>
    public static int MostSizeOf(EnvelopeOrigin? origin, int messageBytes, int messages) =>
        Head(origin).Length + messageBytes + Tail.Length + BytesOfParked + (messages * BytesOfDeliveries);

    /// <summary>The most bytes that <see cref="WriteMessages"/> writes for a message, but for how often it was delivered.</summary>
    public static int MostSizeOf(Message message) =>
        BytesOfNames + Base64.GetMaxEncodedToUtf8Length(message.Body.Length)
            + (LongestEscape / sizeof(char) * (message.Size - message.Body.Length));

    private static ReadOnlySpan<byte> Tail => "]}"u8;

    // What a node or a connection is called was perhaps written by another server.
    private static ReadOnlySpan<byte> Head(EnvelopeOrigin? origin) => origin is null
        ? HeadWithoutOrigin
        : Encoding.UTF8.GetBytes(
            $$"""{"version":{{Envelope.Version}},"origin":"""
                + $$"""{"node":"{{Escaped(origin.Node)}}","connection":"{{Escaped(origin.Connection)}}"},"messages":[""");

    private static JsonEncodedText Escaped(string text) => JsonEncodedText.Encode(text, EnvelopeNames.Escaping);

    private static int Copy(ReadOnlySpan<byte> from, byte[] to, int at)
    {
        from.CopyTo(to.AsSpan(at));
        return at + from.Length;
    }

    private static void Write(Utf8JsonWriter json, Message message, int deliveries)
    {
        json.WriteStartObject();
        json.WriteString(EnvelopeNames.Id, message.Id);
        json.WriteString(EnvelopeNames.Destination, message.Destination);
        if (deliveries > 0)
            json.WriteNumber(EnvelopeNames.Deliveries, deliveries);
        if (message.Headers.Count > 0)
        {
            json.WriteStartObject(EnvelopeNames.Headers);
            for (var i = 0; i < message.Headers.Count; i++)
                json.WriteString(message.Headers[i].Key, message.Headers[i].Value);
            json.WriteEndObject();
        }
        var asText = BodyText.TravelsAsText(message.Body.Span, out var encoded);
        if (!asText)
            json.WriteBase64String(EnvelopeNames.Body64, message.Body.Span);
        else if (encoded is { } text)
            json.WriteString(EnvelopeNames.Body, text);
        else
            json.WriteString(EnvelopeNames.Body, message.Body.Span);
        if (message.IsText != asText)
            json.WriteBoolean(EnvelopeNames.Text, message.IsText);
        json.WriteEndObject();
    }
}
