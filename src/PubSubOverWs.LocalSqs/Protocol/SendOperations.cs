using System.Text.Json;

namespace PubSubOverWs.LocalSqs;

/// <summary>SendMessage and SendMessageBatch.</summary>
internal static class SendOperations
{
    public static void SendMessage(SqsCall call)
    {
        var entry = new SendFields();
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
        var queue = call.Queue(queueUrl);
        if (SendRules.FaultIn(entry, queue.Settings) is { } fault)
            throw fault;
        WriteSent(call.Answer, queue.Send([entry.ToMessage()]), entry);
    }

    public static void SendMessageBatch(SqsCall call)
    {
        var entries = new List<SendFields>(SqsLimit.BatchEntries);
        string? queueUrl = null;
        var reader = new Utf8JsonReader(call.Request.Span);
        reader.ReadObject();
        while (reader.ReadProperty())
        {
            if (reader.ValueTextEquals("QueueUrl"u8))
                queueUrl = reader.ReadString();
            else if (reader.ValueTextEquals("Entries"u8))
                ReadEntries(ref reader, call.Request.Span, entries);
            else
                reader.SkipValue();
        }
        var queue = call.Queue(queueUrl);
        Send(call.Answer, queue, entries);
    }

    private static void Send(Utf8JsonWriter answer, QueueInMemory queue, List<SendFields> entries)
    {
        // Read once: someone may change them meanwhile.
        var settings = queue.Settings;
        SendRules.CheckBatch(entries);
        List<(string, SqsError, string)>? failures = null;
        var good = new List<SendFields>(entries.Count);
        foreach (var entry in entries)
        {
            if (SendRules.FaultIn(entry, settings) is { } fault)
                (failures ??= []).Add((entry.Id!, fault.Error, fault.Message));
            else
                good.Add(entry);
        }
        if (good.Count > 0)
        {
            var number = queue.Send([.. good.Select(entry => entry.ToMessage())]);
            answer.WriteStartArray("Successful"u8);
            foreach (var entry in good)
            {
                answer.WriteStartObject();
                answer.WriteString("Id"u8, entry.Id);
                WriteSent(answer, number++, entry);
                answer.WriteEndObject();
            }
            answer.WriteEndArray();
        }
        answer.WriteFailed(failures);
    }

    private static void ReadEntries(ref Utf8JsonReader reader, ReadOnlySpan<byte> request, List<SendFields> entries)
    {
        if (!reader.ReadArray())
            return;
        while (reader.ReadElement())
        {
            var entry = new SendFields();
            while (reader.ReadProperty())
                entry.Read(ref reader, request);
            entries.Add(entry);
        }
    }

    private static void WriteSent(Utf8JsonWriter answer, ulong number, SendFields entry)
    {
        answer.WriteMessageId(number);
        answer.WriteMd5("MD5OfMessageBody"u8, entry.Body!.Value.Md5);
        if (entry.Attributes is { } attributes)
            answer.WriteMd5("MD5OfMessageAttributes"u8, attributes.Md5);
    }
}
