using System.Buffers;
using System.Buffers.Text;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Unicode;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Envelopes as JSON. At most one per thread is being written, so the buffer is the thread's. The reader skips properties that it does not
/// know; with one missing, or in another version, the text is not an envelope.
/// </summary>
internal static class EnvelopeJson
{
    private const int KeptBufferBytes = 64 * 1024;

    // ,"deliveries": with the longest number that it can have.
    private const int BytesOfDeliveries = 14 + 10;

    private static readonly byte[] HeadWithoutOrigin = Encoding.UTF8.GetBytes($$"""{"version":{{Envelope.Version}},"messages":[""");

    [ThreadStatic]
    private static ArrayBufferWriter<byte>? _buffer;

    [ThreadStatic]
    private static Utf8JsonWriter? _json;

    /// <summary>A whole envelope: UTF-8 of only those characters that SQS takes. How long it may be is the caller's to check.</summary>
    public static byte[] Write(EnvelopeOrigin? origin, IReadOnlyList<Message> messages) =>
        Wrap(origin, [new Outgoing(origin, WriteMessages(messages))]);

    /// <summary>
    /// The elements of an envelope's array of messages, with commas between them: those of several publishes can be put together.
    /// </summary>
    /// <param name="messages">One or more.</param>
    /// <param name="deliveries">How many deliveries of each failed; null: it is not said.</param>
    public static byte[] WriteMessages(IReadOnlyList<Message> messages, int? deliveries = null)
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
        {
            _buffer = null;
            _json = null;
        }
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

    /// <summary>
    /// The most bytes that an envelope around so many bytes of messages will have: one that is sent on says how many deliveries of each
    /// message failed.
    /// </summary>
    public static int ComputeMaxSize(EnvelopeOrigin? origin, int messageBytes, int messages) =>
        Head(origin).Length + messageBytes + Tail.Length + (messages * BytesOfDeliveries);

    private static ReadOnlySpan<byte> Tail => "]}"u8;

    // The names of node and connection may come from another server.
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

    private static void Write(Utf8JsonWriter json, Message message, int? deliveries)
    {
        json.WriteStartObject();
        json.WriteString(EnvelopeNames.Id, message.Id);
        json.WriteString(EnvelopeNames.Destination, message.Destination);
        if (deliveries is { } failed)
            json.WriteNumber(EnvelopeNames.Deliveries, failed);
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

    /// <param name="body">
    /// Must not change: the body of a message that travelled as text without an escape, and is most of it, becomes a slice of it. Others
    /// have a body of their own, so that none keeps more than twice that in memory.
    /// </param>
    /// <param name="reason">Why it is no envelope: half a sentence.</param>
    public static bool TryRead(ReadOnlyMemory<byte> body, out Envelope envelope, out string reason)
    {
        try
        {
            var json = new Utf8JsonReader(body.Span);
            envelope = ReadEnvelope(ref json, body);
            reason = "";
            return true;
        }
        // Utf8JsonReader throws JsonException where it is not JSON, InvalidOperationException or FormatException for another kind of value.
        catch (Exception failure) when (failure is JsonException or InvalidOperationException or FormatException)
        {
            envelope = null!;
            reason = failure.Message;
            return false;
        }
    }

    private static Envelope ReadEnvelope(ref Utf8JsonReader json, ReadOnlyMemory<byte> body)
    {
        int? version = null;
        EnvelopeOrigin? origin = null;
        (Message Message, int? Deliveries)[] messages = [];
        json.Read();
        Expect(json.TokenType == JsonTokenType.StartObject, "it is not a JSON object");
        while (NextProperty(ref json))
        {
            if (Take(ref json, EnvelopeNames.Version))
                version = json.GetInt32();
            else if (Take(ref json, EnvelopeNames.Origin))
                origin = ReadOrigin(ref json);
            else if (Take(ref json, EnvelopeNames.Messages))
                messages = ReadMessages(ref json, body);
            else
                json.Skip();
        }
        Expect(!json.Read(), "something follows the JSON object");
        Expect(version == Envelope.Version, "its version is missing, or not one this server knows");
        Expect(messages.Length > 0, "it has no messages");
        var deliveries = Array.Exists(messages, message => message.Deliveries is not null)
            ? Array.ConvertAll(messages, message => message.Deliveries)
            : null;
        return new Envelope(origin, Array.ConvertAll(messages, message => message.Message), deliveries);
    }

    private static EnvelopeOrigin ReadOrigin(ref Utf8JsonReader json)
    {
        string? node = null, connection = null;
        Expect(json.TokenType == JsonTokenType.StartObject, "its origin is not an object");
        while (NextProperty(ref json))
        {
            if (Take(ref json, EnvelopeNames.Node))
                node = GetString(ref json);
            else if (Take(ref json, EnvelopeNames.Connection))
                connection = GetString(ref json);
            else
                json.Skip();
        }
        Expect(node is not null && connection is not null, "its origin has no node or no connection");
        return new EnvelopeOrigin(node!, connection!);
    }

    private static (Message Message, int? Deliveries)[] ReadMessages(ref Utf8JsonReader json, ReadOnlyMemory<byte> body)
    {
        Expect(json.TokenType == JsonTokenType.StartArray, "its messages are not an array");
        json.Read();
        if (json.TokenType == JsonTokenType.EndArray)
            return [];
        var first = ReadMessage(ref json, body);
        json.Read();
        if (json.TokenType == JsonTokenType.EndArray)
            return [first];
        var messages = new List<(Message, int?)> { first };
        for (; json.TokenType != JsonTokenType.EndArray; json.Read())
            messages.Add(ReadMessage(ref json, body));
        return [.. messages];
    }

    private static (Message Message, int? Deliveries) ReadMessage(ref Utf8JsonReader json, ReadOnlyMemory<byte> body)
    {
        string? id = null, destination = null;
        KeyValuePair<string, string>[] headers = [];
        ReadOnlyMemory<byte>? content = null;
        bool asText = false;
        bool? isText = null;
        int? deliveries = null;
        Expect(json.TokenType == JsonTokenType.StartObject, "a message is not an object");
        while (NextProperty(ref json))
        {
            if (Take(ref json, EnvelopeNames.Id))
                id = GetString(ref json);
            else if (Take(ref json, EnvelopeNames.Destination))
                destination = GetString(ref json);
            else if (Take(ref json, EnvelopeNames.Headers))
                headers = ReadHeaders(ref json);
            else if (Take(ref json, EnvelopeNames.Body))
                (content, asText) = (ReadText(ref json, body), true);
            else if (Take(ref json, EnvelopeNames.Body64))
                (content, asText) = (json.GetBytesFromBase64(), false);
            else if (Take(ref json, EnvelopeNames.Text))
                isText = json.GetBoolean();
            else if (Take(ref json, EnvelopeNames.Deliveries))
                deliveries = json.GetInt32();
            else
                json.Skip();
        }
        Expect(id is not null && destination is not null && content is not null, "a message has no id, no destination or no body");
        return (new Message(id!, destination!, headers, content!.Value, isText ?? asText), deliveries);
    }

    private static KeyValuePair<string, string>[] ReadHeaders(ref Utf8JsonReader json)
    {
        Expect(json.TokenType == JsonTokenType.StartObject, "headers are not an object");
        var headers = new List<KeyValuePair<string, string>>();
        while (NextProperty(ref json))
        {
            var name = json.GetString()!;
            json.Read();
            headers.Add(new(name, GetString(ref json)));
        }
        return [.. headers];
    }

    private static ReadOnlyMemory<byte> ReadText(ref Utf8JsonReader json, ReadOnlyMemory<byte> body)
    {
        Expect(json.TokenType == JsonTokenType.String, "a body is not a string");
        if (!json.ValueIsEscaped)
        {
            Expect(Utf8.IsValid(json.ValueSpan), "a body is not UTF-8");
            return json.ValueSpan.Length > body.Length / 2
                ? body.Slice((int)json.TokenStartIndex + 1, json.ValueSpan.Length)
                : json.ValueSpan.ToArray();
        }
        // With its escapes it may be six times as long: only the text without them stays.
        var unescaped = new byte[json.ValueSpan.Length];
        return unescaped.AsSpan(0, json.CopyString(unescaped)).ToArray();
    }

    private static bool NextProperty(ref Utf8JsonReader json) => json.Read() && json.TokenType == JsonTokenType.PropertyName;

    private static bool Take(ref Utf8JsonReader json, JsonEncodedText name) => json.ValueTextEquals(name.EncodedUtf8Bytes) && json.Read();

    private static string GetString(ref Utf8JsonReader json) => json.GetString() ?? throw new JsonException("a value is null");

    private static void Expect(bool condition, string otherwise)
    {
        if (!condition)
            throw new JsonException(otherwise);
    }
}

/// <summary>The property names of an envelope, encoded once.</summary>
internal static class EnvelopeNames
{
    /// <summary>
    /// Escapes quotes, backslashes, control characters and U+FFFE and U+FFFF, which is more than SQS forbids, and leaves other scripts as
    /// they are: an SQS body is never shown as HTML.
    /// </summary>
    public static readonly JavaScriptEncoder Escaping = JavaScriptEncoder.UnsafeRelaxedJsonEscaping;

    public static readonly JsonEncodedText Version = JsonEncodedText.Encode("version");
    public static readonly JsonEncodedText Origin = JsonEncodedText.Encode("origin");
    public static readonly JsonEncodedText Node = JsonEncodedText.Encode("node");
    public static readonly JsonEncodedText Connection = JsonEncodedText.Encode("connection");
    public static readonly JsonEncodedText Messages = JsonEncodedText.Encode("messages");
    public static readonly JsonEncodedText Id = JsonEncodedText.Encode("id");
    public static readonly JsonEncodedText Destination = JsonEncodedText.Encode("destination");
    public static readonly JsonEncodedText Headers = JsonEncodedText.Encode("headers");

    /// <summary>How many deliveries of it failed. Written, even if that is 0, of a message that was with a subscriber before.</summary>
    public static readonly JsonEncodedText Deliveries = JsonEncodedText.Encode("deliveries");

    /// <summary>The body as it is.</summary>
    public static readonly JsonEncodedText Body = JsonEncodedText.Encode("body");

    /// <summary>The body in base64.</summary>
    public static readonly JsonEncodedText Body64 = JsonEncodedText.Encode("body64");

    /// <summary>
    /// Whether it came in a WebSocket text message. Written only where it is not what the kind of body suggests: <c>body</c> true,
    /// <c>body64</c> false.
    /// </summary>
    public static readonly JsonEncodedText Text = JsonEncodedText.Encode("text");
}

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
