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
            MessageJson.Write(answer, queue, handout, wanted);
        answer.WriteEndArray();
    }
}
