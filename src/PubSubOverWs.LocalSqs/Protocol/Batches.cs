using System.Text.Json;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LocalSqs;

/// <summary>What a call does something with: one, whose properties stand in the request itself, or those of a batch.</summary>
internal interface IEntry
{
    /// <summary>Within a batch.</summary>
    string? Id { get; }

    /// <summary>Reads one property; the reader stands on its name.</summary>
    void Read(ref Utf8JsonReader reader, ReadOnlySpan<byte> request);
}

/// <summary>Reads calls with entries, and writes the results of a batch.</summary>
internal static class Batches
{
    private const int MaxIdLength = 80;

    /// <summary>Reads the one entry of a call, and finds its queue.</summary>
    /// <exception cref="SqsErrorException">There is no such queue.</exception>
    public static QueueInMemory ReadOne<TEntry>(SqsCall call, TEntry entry)
        where TEntry : IEntry
    {
        string? queueUrl = null;
        var reader = new Utf8JsonReader(call.Request.Span);
        reader.ReadObject();
        while (reader.ReadProperty())
        {
            if (reader.ValueTextEquals("QueueUrl"u8))
                queueUrl = reader.ReadString();
            else
                entry.Read(ref reader, call.Request.Span);
        }
        return call.Queue(queueUrl);
    }

    /// <summary>Reads the entries of a batch, and finds its queue.</summary>
    /// <exception cref="SqsErrorException">There is no such queue, or the batch as a whole is refused.</exception>
    public static QueueInMemory Read<TEntry>(SqsCall call, List<TEntry> entries)
        where TEntry : IEntry, new()
    {
        string? queueUrl = null;
        var reader = new Utf8JsonReader(call.Request.Span);
        reader.ReadObject();
        while (reader.ReadProperty())
        {
            if (reader.ValueTextEquals("QueueUrl"u8))
                queueUrl = reader.ReadString();
            else if (!reader.ValueTextEquals("Entries"u8))
                reader.SkipValue();
            else if (reader.ReadArray())
                ReadEntries(ref reader, call.Request.Span, entries);
        }
        var queue = call.Queue(queueUrl);
        Check(entries, entry => entry.Id);
        return queue;
    }

    /// <summary>The rules of SQS for a whole batch, checked before its entries.</summary>
    /// <exception cref="SqsErrorException">The batch as a whole is refused.</exception>
    public static void Check<TEntry>(List<TEntry> entries, Func<TEntry, string?> getId)
    {
        if (entries.Count == 0)
            throw new SqsErrorException(SqsError.EmptyBatchRequest, "There should be at least one entry in the request.");
        if (entries.Count > SqsLimit.BatchEntries)
        {
            throw new SqsErrorException(
                SqsError.TooManyEntriesInBatchRequest, $"Maximum number of entries per request are 10. You have sent {entries.Count}.");
        }
        var ids = new HashSet<string>(entries.Count, StringComparer.Ordinal);
        foreach (var id in entries.Select(getId))
        {
            if (id is null or { Length: 0 or > MaxIdLength } || id.AsSpan().ContainsAnyExcept(QueueName.Characters))
            {
                throw new SqsErrorException(
                    SqsError.InvalidBatchEntryId,
                    "A batch entry id can only contain alphanumeric characters, hyphens and underscores. "
                        + "It can be at most 80 letters long.");
            }
            if (!ids.Add(id))
                throw new SqsErrorException(SqsError.BatchEntryIdsNotDistinct, $"Id {id} repeated.");
        }
    }

    /// <summary>The array <c>Failed</c>, when there is a failure.</summary>
    public static void WriteFailed(Utf8JsonWriter json, IReadOnlyList<(string? Id, SqsErrorException Fault)> failures)
    {
        if (failures.Count == 0)
            return;
        json.WriteStartArray("Failed"u8);
        foreach (var (id, fault) in failures)
        {
            json.WriteStartObject();
            json.WriteString("Id"u8, id);
            json.WriteBoolean("SenderFault"u8, true);
            json.WriteString("Code"u8, fault.Error.Code);
            json.WriteString("Message"u8, fault.Message);
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }

    private static void ReadEntries<TEntry>(ref Utf8JsonReader reader, ReadOnlySpan<byte> request, List<TEntry> entries)
        where TEntry : IEntry, new()
    {
        while (reader.ReadElement())
        {
            var entry = new TEntry();
            while (reader.ReadProperty())
                entry.Read(ref reader, request);
            entries.Add(entry);
        }
    }
}
