using System.Text.Json;
using System.Text.Unicode;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Reads envelopes. Properties it does not know are passed over; a missing one, or another version, makes it no envelope.
/// </summary>
internal static class EnvelopeReader
{
    /// <param name="body">
    /// Must not change: the body of a message that travelled as text without an escape, and is most of it, becomes a slice of it. Others
    /// have a body of their own, so that none keeps more than twice that in memory.
    /// </param>
    /// <param name="envelope">What was read.</param>
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
        // Utf8JsonReader says JsonException for what is not JSON, InvalidOperationException or FormatException for a value of another kind.
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
        long? parkedAt = null;
        EnvelopeOrigin? origin = null;
        (Message Message, int Deliveries)[] messages = [];
        json.Read();
        Expect(json.TokenType == JsonTokenType.StartObject, "it is not a JSON object");
        while (NextProperty(ref json))
        {
            if (Take(ref json, EnvelopeNames.Version))
                version = json.GetInt32();
            else if (Take(ref json, EnvelopeNames.Origin))
                origin = ReadOrigin(ref json);
            else if (Take(ref json, EnvelopeNames.Parked))
                parkedAt = json.GetInt64();
            else if (Take(ref json, EnvelopeNames.Messages))
                messages = ReadMessages(ref json, body);
            else
                json.Skip();
        }
        Expect(!json.Read(), "something follows the JSON object");
        Expect(version == Envelope.Version, "its version is missing, or not one this server knows");
        Expect(messages.Length > 0, "it has no messages");
        var deliveries = Array.Exists(messages, message => message.Deliveries > 0)
            ? Array.ConvertAll(messages, message => message.Deliveries)
            : null;
        return new Envelope(origin, Array.ConvertAll(messages, message => message.Message), deliveries, parkedAt);
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

    private static (Message Message, int Deliveries)[] ReadMessages(ref Utf8JsonReader json, ReadOnlyMemory<byte> body)
    {
        Expect(json.TokenType == JsonTokenType.StartArray, "its messages are not an array");
        json.Read();
        if (json.TokenType == JsonTokenType.EndArray)
            return [];
        var first = ReadMessage(ref json, body);
        json.Read();
        if (json.TokenType == JsonTokenType.EndArray)
            return [first];
        var messages = new List<(Message, int)> { first };
        for (; json.TokenType != JsonTokenType.EndArray; json.Read())
            messages.Add(ReadMessage(ref json, body));
        return [.. messages];
    }

    private static (Message Message, int Deliveries) ReadMessage(ref Utf8JsonReader json, ReadOnlyMemory<byte> body)
    {
        string? id = null, destination = null;
        KeyValuePair<string, string>[] headers = [];
        ReadOnlyMemory<byte>? content = null;
        bool asText = false;
        bool? isText = null;
        var deliveries = 0;
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
        // With its escapes it may be six times as long: only what it is without them stays.
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
