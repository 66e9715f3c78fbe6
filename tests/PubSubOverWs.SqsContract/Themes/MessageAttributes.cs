using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

namespace PubSubOverWs.SqsContract;

/// <summary>Names with typed values that travel beside a body.</summary>
internal static class MessageAttributes
{
    [Behaviour]
    public static async Task Attributes_come_back_with_their_types_and_their_MD5(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        var attributes = new
        {
            Text = new { DataType = "String", StringValue = "smörgås \"x\"" },
            Count = new { DataType = "Number.int", StringValue = "-17.5" },
            Octets = new { DataType = "Binary", BinaryValue = Convert.ToBase64String([0, 1, 254, 255]) },
        };
        var md5 = Md5(
            Part("Count", "Number.int", 1, "-17.5"u8), Part("Octets", "Binary", 2, [0, 1, 254, 255]),
            Part("Text", "String", 1, "smörgås \"x\""u8));

        var sent = await trial.Raw.CallAsync("SendMessage", new { QueueUrl = url, MessageBody = "a", MessageAttributes = attributes });
        Assert.Equal(md5, sent.Json.GetProperty("MD5OfMessageAttributes").GetString());

        var message = await ReceiveAsync(trial, url, "All");
        Assert.Equal(md5, message.GetProperty("MD5OfMessageAttributes").GetString());
        Assert.True(JsonElement.DeepEquals(JsonSerializer.SerializeToElement(attributes), message.GetProperty("MessageAttributes")));
    }

    [Behaviour]
    public static async Task Only_the_attributes_come_that_a_receive_asks_for(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        var text = new { DataType = "String", StringValue = "x" };
        var sent = await trial.Raw.CallAsync(
            "SendMessage", new { QueueUrl = url, MessageBody = "a", MessageAttributes = new { Wanted = text, Other = text } });
        sent.ShouldBeTaken();

        Assert.Equal("", await NamesAsync());
        Assert.Equal("Wanted", await NamesAsync("Wanted"));
        Assert.Equal("Wanted", await NamesAsync("Want.*"));

        async Task<string> NamesAsync(params string[] wanted)
        {
            var message = await ReceiveAsync(trial, url, wanted);
            return message.TryGetProperty("MessageAttributes", out var found)
                ? string.Join(",", found.EnumerateObject().Select(attribute => attribute.Name))
                : "";
        }
    }

    /// <summary>The next message, with the attributes of these names; it stays visible.</summary>
    private static async Task<JsonElement> ReceiveAsync(Trial trial, string url, params string[] wanted)
    {
        var answer = await trial.Raw.CallAsync(
            "ReceiveMessage", new { QueueUrl = url, WaitTimeSeconds = 20, VisibilityTimeout = 0, MessageAttributeNames = wanted });
        return answer.Json.GetProperty("Messages")[0];
    }

    /// <summary>
    /// One attribute in the form that enters the MD5
    /// (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html).
    /// </summary>
    /// <param name="transport">1: text, 2: bytes.</param>
    private static byte[] Part(string name, string type, byte transport, ReadOnlySpan<byte> value) =>
        [.. Counted(Encoding.UTF8.GetBytes(name)), .. Counted(Encoding.UTF8.GetBytes(type)), transport, .. Counted(value)];

    private static byte[] Counted(ReadOnlySpan<byte> bytes)
    {
        var counted = new byte[4 + bytes.Length];
        BinaryPrimitives.WriteInt32BigEndian(counted, bytes.Length);
        bytes.CopyTo(counted.AsSpan(4));
        return counted;
    }

    /// <param name="parts">In the order of the names.</param>
    private static string Md5(params byte[][] parts)
    {
#pragma warning disable CA5351 // Not our choice: the protocol's.
        return Convert.ToHexStringLower(MD5.HashData([.. parts.SelectMany(part => part)]));
#pragma warning restore CA5351
    }
}
