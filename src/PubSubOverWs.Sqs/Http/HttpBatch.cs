using System.Text.Json;

namespace PubSubOverWs.Sqs;

/// <summary>A batch call over HTTP: writes the open entries, and reads the answer into their places.</summary>
internal static class HttpBatch
{
    // Around a body: its id, the names, and escapes; the buffer grows when it is not enough.
    private const int EntryOverhead = 128;

    public static ValueTask<IReadOnlyList<EntryResult>> RunAsync<TEntry>(
        SqsTransport transport, SqsOperation operation, string queueUrl, IReadOnlyList<TEntry> entries,
        Action<Utf8JsonWriter, TEntry> write,
        CancellationToken cancellationToken)
    {
        var sent = entries as IReadOnlyList<SendEntry>;
        var expected = EntryOverhead * (entries.Count + 1) + (sent?.Sum(entry => entry.Body.Length) ?? 0);
        return BatchCall.RunAsync(entries.Count, AskAsync, transport.Retries, cancellationToken);

        async ValueTask AskAsync(EntryResult[] results)
        {
            var request = RequestJson.Write(expected, (queueUrl, entries, results, write), static (json, call) => Write(json, call));
            using var answer = await transport.CallAsync(operation, request, TimeSpan.Zero, cancellationToken, cancellationToken);
            Read(transport, operation, answer, results, sent);
        }
    }

    private static void Write<TEntry>(
        Utf8JsonWriter json,
        (string QueueUrl, IReadOnlyList<TEntry> Entries, EntryResult[] Results, Action<Utf8JsonWriter, TEntry> Write) call)
    {
        json.WriteString("QueueUrl"u8, call.QueueUrl);
        json.WriteStartArray("Entries"u8);
        for (var index = 0; index < call.Entries.Count; index++)
        {
            if (!BatchCall.IsOpen(call.Results[index]))
                continue;
            json.WriteStartObject();
            json.WriteId(index);
            call.Write(json, call.Entries[index]);
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }

    private static void Read(
        SqsTransport transport, SqsOperation operation, PooledBytes answer, EntryResult[] results, IReadOnlyList<SendEntry>? sent)
    {
        try
        {
            BatchAnswer.Read(answer.Written.Span, results, sent);
        }
        catch (Exception fault) when (fault is JsonException or FormatException or InvalidOperationException)
        {
            throw transport.Faults.BadAnswer(operation, fault);
        }
    }
}
