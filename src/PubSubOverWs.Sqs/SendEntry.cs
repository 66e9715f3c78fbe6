namespace PubSubOverWs.Sqs;

/// <summary>One message to send.</summary>
/// <param name="Body">
/// UTF-8, 1 byte to 1 MiB, of the characters that SQS accepts: #x9 #xA #xD #x20-#xD7FF #xE000-#xFFFD #x10000-#x10FFFF. Must not change
/// until the call has ended.
/// </param>
/// <param name="Delay">How long the message is hidden at first: 0 s to 15 min, whole seconds. Null: the queue's own delay.</param>
public readonly record struct SendEntry(ReadOnlyMemory<byte> Body, TimeSpan? Delay = null);
