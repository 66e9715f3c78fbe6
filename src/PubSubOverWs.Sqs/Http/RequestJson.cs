using System.Buffers.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>Writes the JSON of requests.</summary>
internal static class RequestJson
{
    // Escapes only what JSON requires: the fewest bytes on the wire.
    private static readonly JsonWriterOptions Options =
        new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, SkipValidation = true };

    /// <summary>An object, in a buffer to be disposed.</summary>
    public static PooledBytes Write(int expectedBytes, Action<Utf8JsonWriter> writeMembers)
    {
        var bytes = new PooledBytes(expectedBytes);
        using var json = new Utf8JsonWriter(bytes, Options);
        json.WriteStartObject();
        writeMembers(json);
        json.WriteEndObject();
        json.Flush();
        return bytes;
    }

    /// <summary>The entries of a batch that are open. Ids are positions in the list: a retry of some entries keeps their ids.</summary>
    public static void WriteBatch<TEntry>(
        Utf8JsonWriter json, string queueUrl, IReadOnlyList<TEntry> entries, EntryResult[] results, Action<Utf8JsonWriter, TEntry> write)
    {
        Span<byte> id = stackalloc byte[11];
        json.WriteString("QueueUrl"u8, queueUrl);
        json.WriteStartArray("Entries"u8);
        for (var index = 0; index < entries.Count; index++)
        {
            if (!BatchCall.IsOpen(results[index]))
                continue;
            json.WriteStartObject();
            Utf8Formatter.TryFormat(index, id, out var length);
            json.WriteString("Id"u8, id[..length]);
            write(json, entries[index]);
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }

    public static void WriteSend(Utf8JsonWriter json, SendEntry entry)
    {
        json.WriteString("MessageBody"u8, entry.Body.Span);
        if (entry.Delay is { } delay)
            json.WriteNumber("DelaySeconds"u8, (long)delay.TotalSeconds);
    }

    public static void WriteDelete(Utf8JsonWriter json, string receiptHandle) => json.WriteString("ReceiptHandle"u8, receiptHandle);

    public static void WriteVisibility(Utf8JsonWriter json, HoldEntry entry)
    {
        json.WriteString("ReceiptHandle"u8, entry.ReceiptHandle);
        json.WriteNumber("VisibilityTimeout"u8, (long)entry.Visibility.TotalSeconds);
    }

    public static void WriteReceive(Utf8JsonWriter json, string queueUrl, ReceiveRequest request)
    {
        json.WriteString("QueueUrl"u8, queueUrl);
        json.WriteNumber("MaxNumberOfMessages"u8, request.MaxMessages);
        json.WriteNumber("WaitTimeSeconds"u8, (long)request.WaitTime.TotalSeconds);
        if (request.Visibility is { } visibility)
            json.WriteNumber("VisibilityTimeout"u8, (long)visibility.TotalSeconds);
        json.WriteStartArray("MessageSystemAttributeNames"u8);
        json.WriteStringValue("ApproximateReceiveCount"u8);
        json.WriteEndArray();
    }
}
