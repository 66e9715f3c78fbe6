using System.Buffers.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace PubSubOverWs.Sqs;

/// <summary>Writes the JSON of requests.</summary>
internal static class RequestJson
{
    // Escapes only what JSON requires: the fewest bytes on the wire.
    private static readonly JsonWriterOptions Options =
        new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, SkipValidation = true };

    /// <summary>An object, in a buffer to be disposed.</summary>
    public static PooledBytes Write<TState>(int expectedBytes, TState state, Action<Utf8JsonWriter, TState> members)
    {
        var bytes = new PooledBytes(expectedBytes);
        using var json = new Utf8JsonWriter(bytes, Options);
        json.WriteStartObject();
        members(json, state);
        json.WriteEndObject();
        json.Flush();
        return bytes;
    }

    /// <summary>Ids are positions in the list: a retry of some entries keeps their ids.</summary>
    public static void WriteId(this Utf8JsonWriter json, int index)
    {
        Span<byte> digits = stackalloc byte[11];
        Utf8Formatter.TryFormat(index, digits, out var length);
        json.WriteString("Id"u8, digits[..length]);
    }

    public static void WriteSend(Utf8JsonWriter json, SendEntry entry)
    {
        json.WriteString("MessageBody"u8, entry.Body.Span);
        if (entry.Delay is { } delay)
            json.WriteNumber("DelaySeconds"u8, (long)delay.TotalSeconds);
    }

    public static void WriteVisibility(Utf8JsonWriter json, VisibilityEntry entry)
    {
        json.WriteString("ReceiptHandle"u8, entry.ReceiptHandle);
        json.WriteNumber("VisibilityTimeout"u8, (long)entry.Visibility.TotalSeconds);
    }

    public static void WriteReceive(Utf8JsonWriter json, (string QueueUrl, ReceiveRequest Request) call)
    {
        json.WriteString("QueueUrl"u8, call.QueueUrl);
        json.WriteNumber("MaxNumberOfMessages"u8, call.Request.MaxMessages);
        json.WriteNumber("WaitTimeSeconds"u8, (long)call.Request.WaitTime.TotalSeconds);
        if (call.Request.Visibility is { } visibility)
            json.WriteNumber("VisibilityTimeout"u8, (long)visibility.TotalSeconds);
        json.WriteStartArray("MessageSystemAttributeNames"u8);
        json.WriteStringValue("ApproximateReceiveCount"u8);
        json.WriteEndArray();
    }
}
