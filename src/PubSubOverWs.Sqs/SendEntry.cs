namespace PubSubOverWs.Sqs;

/// <summary>One message to send.</summary>
/// <param name="Body">
/// UTF-8, 1 byte to 1 MiB, of the characters that SQS accepts: #x9 #xA #xD #x20-#xD7FF #xE000-#xFFFD #x10000-#x10FFFF. Must not change
/// until the call has ended.
/// </param>
/// <param name="Delay">How long the message is hidden at first: 0 s to 15 min, whole seconds. Null: the queue's own delay, the only one
/// that a FIFO queue takes.</param>
/// <param name="GroupId">
/// Required by FIFO queues, 1 to 128 characters: messages of a group come in the order in which the queue took them, and none
/// while an earlier one is in flight.
/// </param>
/// <param name="DeduplicationId">
/// For FIFO queues, 1 to 128 characters: a message with one that was sent in the last 5 min is taken and not delivered. Null: that of the
/// body, where <see cref="QueueSettings.ContentBasedDeduplication"/> is on.
/// </param>
public readonly record struct SendEntry(
    ReadOnlyMemory<byte> Body, TimeSpan? Delay = null, string? GroupId = null, string? DeduplicationId = null);
