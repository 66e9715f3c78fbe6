using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Security.Cryptography;
using System.Text.Json;
using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>Reads answers to the calls that a server makes all the time. Each throws <see cref="JsonException"/> on others.</summary>
internal static class AnswerJson
{
    /// <summary>
    /// The answer to a batch call, <c>{"Successful":[{"Id":"0",...}],"Failed":[{"Id":"1","Code":...,...}]}</c>: puts each result at the
    /// place that its id names.
    /// </summary>
    /// <param name="json">The answer.</param>
    /// <param name="results">One per entry of the call.</param>
    /// <param name="sent">For a send: the bodies that the MD5 values in the answer must match.</param>
    public static void ReadBatch(ReadOnlySpan<byte> json, EntryResult[] results, IReadOnlyList<SendEntry>? sent)
    {
        var reader = new Utf8JsonReader(json);
        reader.ReadObject();
        while (reader.ReadProperty())
        {
            var failed = reader.ValueTextEquals("Failed"u8);
            if (failed || reader.ValueTextEquals("Successful"u8))
                ReadEntries(ref reader, failed, results, sent);
            else
                reader.SkipValue();
        }
    }

    /// <summary>
    /// The answer to a receive:
    /// <c>{"Messages":[{"MessageId":...,"ReceiptHandle":...,"MD5OfBody":...,"Body":...,"Attributes":{...}}]}</c>.
    /// </summary>
    /// <param name="json">The answer; without <c>Messages</c> when there was none.</param>
    /// <returns>How many messages were left out because their body does not match its MD5; they are received again.</returns>
    public static (IReadOnlyList<ReceivedMessage> Messages, int Corrupted) ReadReceive(ReadOnlySpan<byte> json)
    {
        var corrupted = 0;
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
            messages = new List<ReceivedMessage>(QueueLimits.MaxBatchEntries);
            while (reader.ReadElement())
            {
                if (ReadMessage(ref reader) is { } message)
                    messages.Add(message);
                else
                    corrupted++;
            }
        }
        return (messages ?? (IReadOnlyList<ReceivedMessage>)[], corrupted);
    }

    private static void ReadEntries(ref Utf8JsonReader reader, bool failed, EntryResult[] results, IReadOnlyList<SendEntry>? sent)
    {
        if (!reader.ReadArray())
            return;
        Span<byte> md5 = stackalloc byte[Md5.Bytes];
        while (reader.ReadElement())
        {
            string? id = null, messageId = null, code = null, message = null;
            bool senderFault = false, hasMd5 = false;
            while (reader.ReadProperty())
            {
                if (reader.ValueTextEquals("Id"u8))
                    id = reader.ReadString();
                else if (reader.ValueTextEquals("MessageId"u8))
                    messageId = reader.ReadString();
                else if (reader.ValueTextEquals("MD5OfMessageBody"u8))
                    hasMd5 = ReadMd5(ref reader, md5);
                else if (reader.ValueTextEquals("Code"u8))
                    code = reader.ReadString();
                else if (reader.ValueTextEquals("Message"u8))
                    message = reader.ReadString();
                else if (reader.ValueTextEquals("SenderFault"u8))
                    senderFault = ReadBoolean(ref reader);
                else
                    reader.SkipValue();
            }
            if (!int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var index) || index >= results.Length)
                throw new JsonException("An entry has an id that no entry of the call has.");
            results[index] = failed ? BatchCall.Failed(code, message, senderFault)
                : sent is not null && hasMd5 && !Md5.Matches(sent[index].Body.Span, md5) ? BatchCall.Corrupted
                : new EntryResult(null, messageId);
        }
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
                body = ReadBytes(ref reader);
            else if (reader.ValueTextEquals("MD5OfBody"u8))
                hasMd5 = ReadMd5(ref reader, md5);
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

    private static bool ReadBoolean(ref Utf8JsonReader reader)
    {
        reader.Read();
        return reader.TokenType is JsonTokenType.True or JsonTokenType.False
            ? reader.GetBoolean()
            : throw new JsonException("True or false was expected.");
    }

    /// <summary>The text as UTF-8, unescaped, in its own memory.</summary>
    private static ReadOnlyMemory<byte> ReadBytes(ref Utf8JsonReader reader)
    {
        reader.Read();
        if (reader.TokenType != JsonTokenType.String)
            throw new JsonException("A string was expected.");
        if (!reader.ValueIsEscaped)
            return reader.ValueSpan.ToArray();
        // Only the unescaped text stays in memory.
        var unescaped = new byte[reader.ValueSpan.Length];
        return unescaped.AsSpan(0, reader.CopyString(unescaped)).ToArray();
    }

    /// <summary>32 hexadecimal digits. False: it is something else.</summary>
    private static bool ReadMd5(ref Utf8JsonReader reader, scoped Span<byte> md5)
    {
        reader.Read();
        return reader.TokenType == JsonTokenType.String
            && Convert.FromHexString(reader.ValueSpan, md5, out _, out var written) == OperationStatus.Done && written == md5.Length;
    }
}

/// <summary>The checksum of bodies in SQS: MD5, against accidents, not against attackers.</summary>
internal static class Md5
{
    public const int Bytes = MD5.HashSizeInBytes;

    /// <summary>As the SDK has it: 32 hexadecimal digits; anything else is no checksum, and passes.</summary>
    public static bool Matches(ReadOnlySpan<byte> body, string? digits)
    {
        Span<byte> md5 = stackalloc byte[Bytes];
        return digits is null
            || Convert.FromHexString(digits, md5, out _, out var written) != OperationStatus.Done || written != Bytes
            || Matches(body, md5);
    }

    public static bool Matches(ReadOnlySpan<byte> body, ReadOnlySpan<byte> md5)
    {
        Span<byte> own = stackalloc byte[Bytes];
#pragma warning disable CA5351 // Not our choice: the protocol's.
        MD5.HashData(body, own);
#pragma warning restore CA5351
        return own.SequenceEqual(md5);
    }
}
