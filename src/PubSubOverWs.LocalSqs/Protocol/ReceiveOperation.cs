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
        var handouts = await queue.ReceiveAsync(fields.Max, wait, visibility, call.Aborted);
        call.Taken = (queue, handouts);
        Write(call.Answer, queue, handouts, fields);
    }

    private static void Write(Utf8JsonWriter answer, QueueInMemory queue, IReadOnlyList<Handout> handouts, ReceiveFields wanted)
    {
        // SQS leaves the member out when there is nothing.
        if (handouts.Count == 0)
            return;
        answer.WriteStartArray("Messages"u8);
        foreach (var handout in handouts)
        {
            answer.WriteStartObject();
            answer.WriteMessageId(handout.Number);
            answer.WriteReceiptHandle(new ReceiptHandle(queue.Id, handout.Number, handout.Receipt));
            answer.WriteMd5("MD5OfBody"u8, handout.Body.Md5);
            answer.WritePropertyName("Body"u8);
            answer.WriteRawValue(handout.Body.Literal, skipInputValidation: true);
            if (wanted.AnyAttribute)
                WriteAttributes(answer, handout, wanted);
            answer.WriteEndObject();
        }
        answer.WriteEndArray();
    }

    private static void WriteAttributes(Utf8JsonWriter answer, Handout handout, ReceiveFields wanted)
    {
        answer.WriteStartObject("Attributes"u8);
        if (wanted.SenderId)
            answer.WriteString("SenderId"u8, QueueStore.Account);
        if (wanted.SentTimestamp)
            answer.WriteNumberText("SentTimestamp"u8, handout.SentAt);
        if (wanted.ReceiveCount)
            answer.WriteNumberText("ApproximateReceiveCount"u8, handout.ReceiveCount);
        if (wanted.FirstReceive)
            answer.WriteNumberText("ApproximateFirstReceiveTimestamp"u8, handout.FirstReceivedAt);
        answer.WriteEndObject();
    }
}
