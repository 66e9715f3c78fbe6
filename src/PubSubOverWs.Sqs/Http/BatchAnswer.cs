using System.Text.Json;

namespace PubSubOverWs.Sqs;

/// <summary>Reads the answer to a batch call: <c>{"Successful":[{"Id":"0",...}],"Failed":[{"Id":"1","Code":...,...}]}</c>.</summary>
internal static class BatchAnswer
{
    /// <summary>Puts each result at the place that its id names.</summary>
    /// <param name="json">The answer.</param>
    /// <param name="results">One per entry of the call.</param>
    /// <param name="sent">For a send: the bodies that the MD5 values in the answer must match.</param>
    public static void Read(ReadOnlySpan<byte> json, EntryResult[] results, IReadOnlyList<SendEntry>? sent)
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
                    hasMd5 = reader.ReadMd5(md5);
                else if (reader.ValueTextEquals("Code"u8))
                    code = reader.ReadString();
                else if (reader.ValueTextEquals("Message"u8))
                    message = reader.ReadString();
                else if (reader.ValueTextEquals("SenderFault"u8))
                    senderFault = reader.ReadBoolean();
                else
                    reader.SkipValue();
            }
            if (!int.TryParse(id, System.Globalization.NumberStyles.None, null, out var index) || index >= results.Length)
                throw new JsonException("An entry has an id that no entry of the call has.");
            results[index] = failed ? BatchCall.Failed(code, message, senderFault)
                : sent is not null && hasMd5 && !Md5.Matches(sent[index].Body.Span, md5) ? BatchCall.Corrupted
                : new EntryResult(null, messageId);
        }
    }
}
