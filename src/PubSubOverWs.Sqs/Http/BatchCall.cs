using System.Text.Json;

namespace PubSubOverWs.Sqs;

/// <summary>A batch call and what follows from its answer: entries that failed on the queue's side are sent again, the others never.</summary>
internal static class BatchCall
{
    // Around a body: its id, the names, and escapes; the buffer grows when it is not enough.
    private const int EntryOverhead = 128;

    public static async ValueTask<IReadOnlyList<EntryResult>> RunAsync<TEntry>(
        SqsTransport transport, SqsOperation operation, string queueUrl, IReadOnlyList<TEntry> entries, Action<Utf8JsonWriter, TEntry> write,
        CancellationToken cancellationToken)
    {
        var sent = entries as IReadOnlyList<SendEntry>;
        var results = new EntryResult[entries.Count];
        Array.Fill(results, BatchAnswer.Unanswered);
        var expected = EntryOverhead * (entries.Count + 1) + (sent?.Sum(entry => entry.Body.Length) ?? 0);
        for (var attempt = 1; ; attempt++)
        {
            var request = RequestJson.Write(expected, (queueUrl, entries, results, write), static (json, call) => Write(json, call));
            try
            {
                using var answer = await transport.CallAsync(operation, request, TimeSpan.Zero, cancellationToken, cancellationToken);
                Read(transport, operation, answer, results, sent);
            }
            catch (SqsException) when (attempt > 1)
            {
                // The first answer told what became of the others: the rest stay failed, as it said.
                return results;
            }
            if (!Array.Exists(results, IsOpen) || !await transport.MayRetryAsync(attempt, cancellationToken))
                return results;
        }
    }

    private static bool IsOpen(EntryResult result) => result.Failure is { SenderFault: false };

    private static void Write<TEntry>(
        Utf8JsonWriter json, (string QueueUrl, IReadOnlyList<TEntry> Entries, EntryResult[] Results, Action<Utf8JsonWriter, TEntry> Write) call)
    {
        json.WriteString("QueueUrl"u8, call.QueueUrl);
        json.WriteStartArray("Entries"u8);
        for (var index = 0; index < call.Entries.Count; index++)
        {
            if (!IsOpen(call.Results[index]))
                continue;
            json.WriteStartObject();
            json.WriteId(index);
            call.Write(json, call.Entries[index]);
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }

    private static void Read(SqsTransport transport, SqsOperation operation, PooledBytes answer, EntryResult[] results, IReadOnlyList<SendEntry>? sent)
    {
        try
        {
            BatchAnswer.Read(answer.Written.Span, results, sent);
        }
        catch (Exception fault) when (fault is JsonException or FormatException or IndexOutOfRangeException)
        {
            throw transport.Faults.BadAnswer(operation, fault);
        }
    }
}
