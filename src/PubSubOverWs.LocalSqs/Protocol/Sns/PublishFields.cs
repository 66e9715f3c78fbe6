namespace PubSubOverWs.LocalSqs;

/// <summary>One message to publish in a request.</summary>
/// <param name="Id">Within a batch.</param>
/// <param name="Text">In UTF-8, if it is valid; null: it is not given.</param>
internal sealed record PublishFields(string? Id, byte[]? Text)
{
    /// <summary>Bytes of one message, and of all messages of a batch together.</summary>
    public const int MostBytes = 262_144;

    /// <param name="form">The request.</param>
    /// <param name="start">The prefix of the names of its parameters.</param>
    public static PublishFields Take(FormFields form, string start) => new(form.Take(start + "Id"), form.TakeBytes(start + "Message"));

    /// <summary>The message for the queues.</summary>
    /// <param name="fault">Why it is not published; null: it is.</param>
    public MessageBody Read(out SqsErrorException? fault)
    {
        var body = Text is { Length: > 0 and <= MostBytes } ? MessageText.Of(Text) : null;
        fault = Text is null or { Length: 0 } ? SnsError.Invalid("Empty message")
            : Text.Length > MostBytes ? SnsError.Invalid("Message too long")
            // No queue could take it: better to refuse it than to lose it.
            : body is null ? SnsError.Invalid("Message Reason: it has characters that SQS does not take")
            : null;
        return body ?? default;
    }
}
