using System.Text;
using System.Text.Json;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class MessageAttributesProtocolTests(LocalSqsHost host) : IClassFixture<LocalSqsHost>, IAsyncLifetime
{
    private const string Three =
        """
        {"Help.Me":{"DataType":"String","StringValue":"Me"},"Hello":{"DataType":"String","StringValue":"There"},
        "General":{"DataType":"String","StringValue":"Kenobi"}}
        """;

    public async Task InitializeAsync()
    {
        host.Time.Advance(TimeSpan.FromMinutes(1));
        await host.PurgeAsync();
    }

    public Task DisposeAsync() => Task.CompletedTask;

    [Fact]
    public async Task The_group_of_a_message_is_kept_and_shown()
    {
        await host.AnswerAsync("CreateQueue", """{"QueueName":"fair"}""");

        var sent = await host.AnswerAsync("SendMessage", """{"QueueUrl":"fair","MessageBody":"a","MessageGroupId":"tenant"}""");
        var received = await host.AnswerAsync(
            "ReceiveMessage", """{"QueueUrl":"fair","MessageSystemAttributeNames":["MessageGroupId","SequenceNumber"]}""");

        Assert.False(sent.TryGetProperty("SequenceNumber", out _));
        Assert.Equal("""{"MessageGroupId":"tenant"}""", received.GetProperty("Messages")[0].GetProperty("Attributes").GetRawText());
    }

    /// <summary>
    /// The sums, and that <c>Hel.*</c> means what starts with <c>Hel</c>, are as AWS answered (recorded by LocalStack's tests).
    /// </summary>
    [Theory]
    [InlineData("""["All"]""", "4c360f3fdafd970e05fae2f149d997f5", "General Hello Help.Me")]
    [InlineData("""[".*"]""", "4c360f3fdafd970e05fae2f149d997f5", "General Hello Help.Me")]
    [InlineData("""["*"]""", "4c360f3fdafd970e05fae2f149d997f5", "General Hello Help.Me")]
    [InlineData("""["Hello","General"]""", "fca026605781cb4126a1e9044df24232", "General Hello")]
    [InlineData("""["Foo","Hello"]""", "a311262e065454b75da111d535b8dacd", "Hello")]
    [InlineData("""["Hel.*"]""", "83fee93c1bcd8b9a5a923ffacdc636c7", "Hello Help.Me")]
    public async Task Requested_attributes_come_with_the_MD5_of_just_these(string names, string md5, string expected)
    {
        await SendAsync(Three);

        var message = await ReceiveAsync(names);

        Assert.Equal(expected.Split(' '), message.GetProperty("MessageAttributes").EnumerateObject().Select(attribute => attribute.Name));
        Assert.Equal(md5, message.GetProperty("MD5OfMessageAttributes").GetString());
    }

    /// <summary>Of a binary value, and with the suffix of a type.</summary>
    [Theory]
    [InlineData("8cbe4db156db8a94db8b801b7addb984", "attr1", "Binary",
        "traceparent\u001e00-774062d6c37081a5a0b9b5b88e30627c-2d2482211f6489da-01")]
    [InlineData("797ab158d73dcb5242dedc4412c8e855", "UserId", "Number.bigint", "1234567890123456789012")]
    public async Task The_MD5_in_a_batch_is_that_of_AWS(string md5, string name, string type, string text)
    {
        var (member, value) = type == "Binary"
            ? ("BinaryValue", Convert.ToBase64String(Encoding.UTF8.GetBytes(text)))
            : ("StringValue", text);

        var batch = await host.AnswerAsync(
            "SendMessageBatch",
            $$$$"""
            {"QueueUrl":"$URL","Entries":[{"Id":"1","MessageBody":"a","MessageAttributes":{"{{{{name}}}}":{"DataType":"{{{{type}}}}",
            "{{{{member}}}}":"{{{{value}}}}"}}},{"Id":"2","MessageBody":"a"}]}
            """);

        Assert.Equal(md5, batch.GetProperty("Successful")[0].GetProperty("MD5OfMessageAttributes").GetString());
        Assert.False(batch.GetProperty("Successful")[1].TryGetProperty("MD5OfMessageAttributes", out _));
    }

    [Theory]
    [InlineData("[]")]
    [InlineData("""["Help"]""")]
    [InlineData("""["AWS.","..foo"]""")]
    public async Task Attributes_and_their_MD5_are_omitted_if_none_of_them_is_requested(string names)
    {
        await SendAsync(Three);

        var message = await ReceiveAsync(names);

        Assert.False(message.TryGetProperty("MessageAttributes", out _));
        Assert.False(message.TryGetProperty("MD5OfMessageAttributes", out _));
    }

    [Theory]
    [InlineData("""{"":{"DataType":"String","StringValue":"x"}}""", "non-empty message (user) attribute names")]
    [InlineData("""{"aWs.x":{"DataType":"String","StringValue":"x"}}""", "reserved")]
    [InlineData("""{"AMAZON.x":{"DataType":"String","StringValue":"x"}}""", "reserved")]
    [InlineData("""{".x":{"DataType":"String","StringValue":"x"}}""", "period")]
    [InlineData("""{"x.":{"DataType":"String","StringValue":"x"}}""", "period")]
    [InlineData("""{"x..y":{"DataType":"String","StringValue":"x"}}""", "period")]
    [InlineData("""{"x y":{"DataType":"String","StringValue":"x"}}""", "letters, digits")]
    [InlineData("""{"x§":{"DataType":"String","StringValue":"x"}}""", "letters, digits")]
    [InlineData("""{"x":{"DataType":"String","StringValue":"x"},"x":{"DataType":"String","StringValue":"y"}}""", "more than once")]
    [InlineData("""{"x":{"StringValue":"x"}}""", "non-empty message attribute type")]
    [InlineData("""{"x":{"DataType":"string","StringValue":"x"}}""", "supported type prefixes")]
    [InlineData("""{"x":{"DataType":"String.","StringValue":"x"}}""", "supported type prefixes")]
    [InlineData("""{"x":{"DataType":"Stringent","StringValue":"x"}}""", "supported type prefixes")]
    [InlineData("""{"x":{"DataType":"String","StringValue":""}}""", "must contain a non-empty value of type 'String'")]
    [InlineData("""{"x":{"DataType":"String","BinaryValue":"AA=="}}""", "must contain a non-empty value of type 'String'")]
    [InlineData("""{"x":{"DataType":"Binary","BinaryValue":""}}""", "must contain a non-empty value of type 'Binary'")]
    [InlineData("""{"x":{"DataType":"Binary","BinaryValue":"AA==","StringValue":"x"}}""", "one value only")]
    [InlineData("""{"x":{"DataType":"Number","StringValue":"many"}}""", "to a number")]
    [InlineData("""{"x":{"DataType":"Number","StringValue":"NaN"}}""", "to a number")]
    [InlineData("""{"x":{"DataType":"String","StringValue":"bell \u0007"}}""", "Invalid characters")]
    [InlineData("""{"x":{"DataType":"String","StringValue":"\ud800"}}""", "Invalid characters")]
    [InlineData("""{"x":{"DataType":"StringList","StringListValues":["x"]}}""", "list values")]
    public async Task Attributes_that_SQS_does_not_take_are_refused(string attributes, string reason)
    {
        var refused = await SendAsync(attributes);

        Assert.Equal("com.amazonaws.sqs#InvalidParameterValue", refused.GetProperty("__type").GetString());
        Assert.Contains(reason, refused.GetProperty("message").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("null")]
    [InlineData("""{"attr.1øßä-_":{"DataType":"String","StringValue":"x","StringListValues":[]}}""")]
    public async Task Attributes_that_SQS_takes_are_taken(string attributes) =>
        Assert.True((await SendAsync(attributes)).TryGetProperty("MessageId", out _));

    [Theory]
    [InlineData(256, 256, 10, true)]
    [InlineData(257, 6, 1, false)]
    [InlineData(1, 257, 1, false)]
    [InlineData(2, 6, 11, false)]
    public async Task Names_and_types_have_256_characters_at_most_and_a_message_10_attributes(int name, int type, int count, bool isTaken)
    {
        var attributes = string.Join(",", Enumerable.Range(0, count).Select(index =>
            $$"""{{Name(index)}}:{"DataType":"{{"String.".PadRight(type, 'x')[..type]}}","StringValue":"x"}"""));

        var answer = await SendAsync($"{{{attributes}}}");

        Assert.Equal(isTaken, answer.TryGetProperty("MessageId", out _));

        string Name(int index) => JsonSerializer.Serialize($"{index}".PadRight(name, 'n'));
    }

    [Fact]
    public async Task Attributes_count_towards_the_size_of_a_message_and_of_a_batch()
    {
        // Name, type and value: 2 + 6 + the rest.
        var body = new string('b', 1000);
        await host.AnswerAsync("CreateQueue", """{"QueueName":"small","Attributes":{"MaximumMessageSize":"1024"}}""");

        Assert.True((await SendToSmallAsync(body, 16)).TryGetProperty("MessageId", out _));
        Assert.Contains(
            "shorter than 1024 bytes", (await SendToSmallAsync(body, 17)).GetProperty("message").GetString(), StringComparison.Ordinal);
        var batch = await host.AnswerAsync(
            "SendMessageBatch",
            $$"""
            {"QueueUrl":"$URL","Entries":[{"Id":"1","MessageBody":"{{new string('b', 1 << 20)}}"},{"Id":"2","MessageBody":"b",
            "MessageAttributes":{{Attribute(1)}}}]}
            """);
        Assert.Contains("You have sent 1048586 bytes", batch.GetProperty("message").GetString(), StringComparison.Ordinal);
    }

    private static string Attribute(int length) => $$$"""{"é":{"DataType":"String","StringValue":"{{{new string('v', length)}}}"}}""";

    private Task<JsonElement> SendToSmallAsync(string body, int length) =>
        host.AnswerAsync("SendMessage", $$"""{"QueueUrl":"small","MessageBody":"{{body}}","MessageAttributes":{{Attribute(length)}}}""");

    private Task<JsonElement> SendAsync(string attributes) =>
        host.AnswerAsync("SendMessage", $$"""{"QueueUrl":"$URL","MessageBody":"a","MessageAttributes":{{attributes}}}""");

    private async Task<JsonElement> ReceiveAsync(string names) =>
        (await host.AnswerAsync("ReceiveMessage", $$"""{"QueueUrl":"$URL","MessageAttributeNames":{{names}}}"""))
            .GetProperty("Messages")[0];
}
