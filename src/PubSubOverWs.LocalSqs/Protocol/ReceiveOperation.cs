using System.Text.Json;

namespace PubSubOverWs.LocalSqs;

/// <summary>ReceiveMessage, with its long poll.</summary>
internal static class ReceiveOperation
{
    public static async ValueTask ReceiveMessageAsync(SqsCall call)
    {
        var fields = ReceiveFields.Read(call.Request.Span);
        var queue = call.Queue(fields.QueueUrl);
        var wait = fields.WaitSeconds is { } seconds ? TimeSpan.FromSeconds(seconds) : queue.Settings.ReceiveWaitTime;
        var visibility = fields.VisibilitySeconds is { } hidden ? TimeSpan.FromSeconds(hidden) : (TimeSpan?)null;
        var handouts = await queue.ReceiveAsync(fields.Max, wait, visibility, () => call.Caller.IsGone, call.Caller.Aborted);
        call.Taken = (queue, handouts);
        Write(call.Answer, queue, handouts, fields);
    }

    private static void Write(Utf8JsonWriter answer, QueueInMemory queue, IReadOnlyList<Handout> handouts, ReceiveFields wanted)
    {
        // SQS omits the member when there is no message.
        if (handouts.Count == 0)
            return;
        answer.WriteStartArray("Messages"u8);
        foreach (var handout in handouts)
            WriteMessage(answer, queue, handout, wanted);
        answer.WriteEndArray();
    }

    // Members that SQS omits when they are empty are omitted.
    private static void WriteMessage(Utf8JsonWriter json, QueueInMemory queue, Handout handout, ReceiveFields wanted)
    {
        json.WriteStartObject();
        json.WriteMessageId(handout.Number);
        json.WriteReceiptHandle(new ReceiptHandle(queue.Id, handout.Number, handout.Receipt));
        json.WriteMd5("MD5OfBody"u8, handout.Body.Md5);
        json.WritePropertyName("Body"u8);
        json.WriteRawValue(handout.Body.Literal, skipInputValidation: true);
        var system = wanted.SystemAttributes;
        if (handout.Extras?.GroupId is null)
            system &= ~SystemAttributes.GroupId;
        if (system != SystemAttributes.None)
            WriteSystem(json, handout, system);
        if (wanted.Select(handout.Extras?.Attributes) is { } attributes)
            WriteAttributes(json, attributes);
        json.WriteEndObject();
    }

    private static void WriteSystem(Utf8JsonWriter json, Handout handout, SystemAttributes system)
    {
        json.WriteStartObject("Attributes"u8);
        if (system.HasFlag(SystemAttributes.SenderId))
            json.WriteString("SenderId"u8, QueueStore.Account);
        if (system.HasFlag(SystemAttributes.SentTimestamp))
            json.WriteNumberText("SentTimestamp"u8, handout.SentAt);
        if (system.HasFlag(SystemAttributes.ReceiveCount))
            json.WriteNumberText("ApproximateReceiveCount"u8, handout.ReceiveCount);
        if (system.HasFlag(SystemAttributes.FirstReceive))
            json.WriteNumberText("ApproximateFirstReceiveTimestamp"u8, handout.FirstReceivedAt);
        if (system.HasFlag(SystemAttributes.GroupId))
            json.WriteString("MessageGroupId"u8, handout.Extras!.GroupId);
        json.WriteEndObject();
    }

    private static void WriteAttributes(Utf8JsonWriter json, MessageAttributes attributes)
    {
        json.WriteMd5("MD5OfMessageAttributes"u8, attributes.Md5);
        json.WriteStartObject("MessageAttributes"u8);
        foreach (var attribute in attributes.ByName)
        {
            json.WriteStartObject(attribute.Name);
            json.WriteString("DataType"u8, attribute.DataType);
            if (attribute.IsBinary)
                json.WriteBase64String("BinaryValue"u8, attribute.Value);
            else
                json.WriteString("StringValue"u8, attribute.Value);
            json.WriteEndObject();
        }
        json.WriteEndObject();
    }
}
