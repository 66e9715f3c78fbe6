using System.Globalization;

namespace PubSubOverWs.LocalSqs;

/// <summary>
/// The bytes of the messages of all queues, and their bound. Without a lock: <see cref="QueueStore"/> has it.
/// </summary>
/// <param name="maxBytes">0: no bound.</param>
internal sealed class Holdings(long maxBytes)
{
    /// <summary>
    /// The memory of a message beside its body and its attributes: objects, places in the line, and the receipt of one in flight.
    /// </summary>
    public const int BytesPerMessage = 200;

    public long Bytes { get; private set; }

    /// <summary>The body as it is kept, the attributes as SQS counts them, and <see cref="BytesPerMessage"/>.</summary>
    public static long BytesOf(MessageBody body, MessageExtras? extras) =>
        body.Literal.Length + (extras?.Attributes?.Length ?? 0) + BytesPerMessage;

    /// <summary>Whether there is room for all of a call.</summary>
    /// <exception cref="SqsErrorException">There is not: nothing of it may be taken.</exception>
    public void Check(ReadOnlySpan<NewMessage> messages)
    {
        if (maxBytes == 0)
            return;
        var bytes = 0L;
        foreach (var message in messages)
            bytes += BytesOf(message.Body, message.Extras);
        if (Bytes + bytes > maxBytes)
            throw new SqsErrorException(SqsError.ServiceUnavailable, Full(bytes));
    }

    public void Add(long bytes) => Bytes += bytes;

    private string Full(long bytes) => string.Create(
        CultureInfo.InvariantCulture,
        $"LocalSqs holds {Bytes:N0} bytes of messages, {bytes:N0} more would be above its LocalSqs:MaxBytes of {maxBytes:N0}: receive "
            + $"and delete some, or raise it.");
}
