using System.Xml.Linq;

namespace PubSubOverWs.LocalSqs;

/// <summary>Publish and PublishBatch: when they are answered, the queues have the messages.</summary>
internal static class PublishOperations
{
    private const string Entries = "PublishBatchRequestEntries";

    public static object Publish(SnsCall call)
    {
        var topicArn = call.Form.TakeNeeded("TopicArn");
        var message = new PublishFields(null, call.Form.TakeBytes("Message"));
        call.Form.RefuseOthers();
        var body = message.Read(out var fault);
        if (fault is not null)
            throw fault;
        call.Topics.Publish(topicArn, [body]);
        return MessageId();
    }

    public static object PublishBatch(SnsCall call)
    {
        var topicArn = call.Form.TakeNeeded("TopicArn");
        // This is an empty list in a form.
        call.Form.Take(Entries);
        var entries = call.Form.Members(Entries + ".member").ConvertAll(start => PublishFields.Take(call.Form, start));
        call.Form.RefuseOthers();
        Batches.Check(entries, entry => entry.Id);
        if (entries.Sum(entry => entry.Text?.Length ?? 0) > PublishFields.MaxBytes)
            throw new SqsErrorException(
                SqsError.BatchRequestTooLong, "The length of all the messages put together is more than the limit.");

        List<MessageBody> bodies = [];
        List<XElement> done = [], failed = [];
        foreach (var entry in entries)
        {
            var body = entry.Read(out var fault);
            var id = AnswerXml.Element("Id", entry.Id);
            if (fault is null)
                bodies.Add(body);
            (fault is null ? done : failed).Add(fault is null ? AnswerXml.Element("member", id, MessageId()) : Failed(id, fault));
        }
        call.Topics.Publish(topicArn, bodies);
        return new object[] { AnswerXml.Element("Failed", [.. failed]), AnswerXml.Element("Successful", [.. done]) };
    }

    private static XElement MessageId() => AnswerXml.Element("MessageId", Guid.NewGuid().ToString());

    private static XElement Failed(XElement id, SqsErrorException fault) => AnswerXml.Element(
        "member", id, AnswerXml.Element("Code", fault.Error.Code), AnswerXml.Element("Message", fault.Message),
        AnswerXml.Element("SenderFault", "true"));
}

/// <summary>One message to publish in a request.</summary>
/// <param name="Id">Within a batch.</param>
/// <param name="Text">In UTF-8, if it is valid; null: it is not given.</param>
internal sealed record PublishFields(string? Id, byte[]? Text)
{
    /// <summary>Bytes of one message, and of all messages of a batch together.</summary>
    public const int MaxBytes = 262_144;

    /// <param name="form">The request.</param>
    /// <param name="start">The prefix of the names of its parameters.</param>
    public static PublishFields Take(FormFields form, string start) => new(form.Take(start + "Id"), form.TakeBytes(start + "Message"));

    /// <summary>The message for the queues.</summary>
    /// <param name="fault">Why it is not published; null: it is.</param>
    public MessageBody Read(out SqsErrorException? fault)
    {
        var body = Text is { Length: > 0 and <= MaxBytes } ? MessageText.Create(Text) : null;
        fault = Text is null or { Length: 0 } ? SnsError.Invalid("Empty message")
            : Text.Length > MaxBytes ? SnsError.Invalid("Message too long")
            // No queue could take it: better to refuse it than to lose it.
            : body is null ? SnsError.Invalid("Message Reason: it has characters that SQS does not take")
            : null;
        return body ?? default;
    }
}
