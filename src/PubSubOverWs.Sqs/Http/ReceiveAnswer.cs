using System.Buffers.Text;
using System.Text.Json;

namespace PubSubOverWs.Sqs;

/// <summary>
/// Reads the answer to a receive:
/// <c>{"Messages":[{"MessageId":...,"ReceiptHandle":...,"MD5OfBody":...,"Body":...,"Attributes":{...}}]}</c>.
/// </summary>
internal static class ReceiveAnswer
{
    /// <param name="json">The answer; without <c>Messages</c> when there was none.</param>
    /// <param name="corrupted">How many were left out because their body does not match its MD5; they are received again.</param>
    public static IReadOnlyList<ReceivedMessage> Read(ReadOnlySpan<byte> json, out int corrupted)
    {
        corrupted = 0;
        List<ReceivedMessage>? messages = null;
        var reader = new Utf8JsonReader(json);
        reader.ReadObject();
        while (reader.ReadProperty())
        {
            if (!reader.ValueTextEquals("Messages"u8))
            {
                reader.SkipValue();
                continue;
            }
            if (!reader.ReadArray())
                continue;
            messages = new List<ReceivedMessage>(SqsLimits.MaxBatchEntries);
            while (reader.ReadElement())
            {
                if (ReadMessage(ref reader) is { } message)
                    messages.Add(message);
                else
                    corrupted++;
            }
        }
        return messages ?? (IReadOnlyList<ReceivedMessage>)[];
    }

    private static ReceivedMessage? ReadMessage(ref Utf8JsonReader reader)
    {
        string? messageId = null, receiptHandle = null;
        ReadOnlyMemory<byte> body = default;
        var receiveCount = 0;
        var hasMd5 = false;
        Span<byte> md5 = stackalloc byte[Md5.Bytes];
        while (reader.ReadProperty())
        {
            if (reader.ValueTextEquals("MessageId"u8))
                messageId = reader.ReadString();
            else if (reader.ValueTextEquals("ReceiptHandle"u8))
                receiptHandle = reader.ReadString();
            else if (reader.ValueTextEquals("Body"u8))
                body = reader.ReadBytes();
            else if (reader.ValueTextEquals("MD5OfBody"u8))
                hasMd5 = reader.ReadMd5(md5);
            else if (reader.ValueTextEquals("Attributes"u8))
                receiveCount = ReadReceiveCount(ref reader);
            else
                reader.SkipValue();
        }
        if (messageId is null || receiptHandle is null)
            throw new JsonException("A message without its id or its receipt handle.");
        return hasMd5 && !Md5.Matches(body.Span, md5) ? null : new ReceivedMessage(messageId, receiptHandle, body, receiveCount);
    }

    private static int ReadReceiveCount(ref Utf8JsonReader reader)
    {
        var count = 0;
        reader.Read();
        if (reader.TokenType == JsonTokenType.Null)
            return count;
        while (reader.ReadProperty())
        {
            var wanted = reader.ValueTextEquals("ApproximateReceiveCount"u8);
            reader.Read();
            if (!wanted)
                reader.Skip();
            else if (reader.TokenType is not (JsonTokenType.String or JsonTokenType.Number)
                || !Utf8Parser.TryParse(reader.ValueSpan, out count, out _))
                throw new JsonException("The receive count is not a number.");
        }
        return count;
    }
}
