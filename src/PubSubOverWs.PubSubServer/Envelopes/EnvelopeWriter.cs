using System.Buffers;
using System.Text.Json;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>Writes envelopes. One per thread at most is being written, so the buffer is the thread's.</summary>
internal static class EnvelopeWriter
{
    private const int KeptBufferBytes = 64 * 1024;

    [ThreadStatic]
    private static ArrayBufferWriter<byte>? _buffer;

    [ThreadStatic]
    private static Utf8JsonWriter? _json;

    /// <summary>UTF-8 of only those characters that SQS takes. How long it may be is the caller's to check.</summary>
    public static byte[] Write(EnvelopeOrigin? origin, IReadOnlyList<Message> messages)
    {
        var buffer = _buffer ??= new ArrayBufferWriter<byte>(1024);
        // SkipValidation: the shape is fixed by the code below, and a repeated header name is legal here.
        var json = _json ??= new Utf8JsonWriter(buffer, new JsonWriterOptions { Encoder = EnvelopeNames.Escaping, SkipValidation = true });
        json.Reset(buffer);
        Write(json, origin, messages);
        json.Flush();
        var envelope = buffer.WrittenSpan.ToArray();
        buffer.ResetWrittenCount();
        if (buffer.Capacity > KeptBufferBytes)
            (_buffer, _json) = (null, null);
        return envelope;
    }

    private static void Write(Utf8JsonWriter json, EnvelopeOrigin? origin, IReadOnlyList<Message> messages)
    {
        json.WriteStartObject();
        json.WriteNumber(EnvelopeNames.Version, Envelope.Version);
        if (origin is not null)
        {
            json.WriteStartObject(EnvelopeNames.Origin);
            json.WriteString(EnvelopeNames.Node, origin.Node);
            json.WriteString(EnvelopeNames.Connection, origin.Connection);
            json.WriteEndObject();
        }
        json.WriteStartArray(EnvelopeNames.Messages);
        for (var i = 0; i < messages.Count; i++)
            Write(json, messages[i]);
        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, Message message)
    {
        json.WriteStartObject();
        json.WriteString(EnvelopeNames.Id, message.Id);
        json.WriteString(EnvelopeNames.Destination, message.Destination);
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
