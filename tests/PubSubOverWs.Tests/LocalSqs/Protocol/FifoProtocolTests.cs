using System.Text.Json;

namespace PubSubOverWs.Tests.LocalSqs;

/// <summary>Calls to FIFO queues, and to standard queues with message groups.</summary>
public sealed class FifoProtocolTests(LocalSqsHost host) : IClassFixture<LocalSqsHost>
{
    private static int _queues;

    private readonly string _queue = $"orders-{Interlocked.Increment(ref _queues)}.fifo";

    [Fact]
    public async Task A_message_comes_with_its_group_its_deduplication_id_and_its_sequence_number()
    {
        await CreateAsync();

        var sent = await SendAsync(""" "MessageBody":"a","MessageGroupId":"g","MessageDeduplicationId":"d" """);
        var received = (await ReceiveAsync(""" "MessageSystemAttributeNames":["All"] """))[0].GetProperty("Attributes");

        Assert.Equal("g", received.GetProperty("MessageGroupId").GetString());
        Assert.Equal("d", received.GetProperty("MessageDeduplicationId").GetString());
        Assert.Equal(sent.GetProperty("SequenceNumber").GetString(), received.GetProperty("SequenceNumber").GetString());
    }

    [Fact]
    public async Task Only_the_system_attributes_that_were_asked_for_come()
    {
        await CreateAsync();
        await SendAsync(""" "MessageBody":"a","MessageGroupId":"g","MessageDeduplicationId":"d" """);

        var received = (await ReceiveAsync(""" "AttributeNames":["MessageGroupId"] """))[0].GetProperty("Attributes");

        Assert.Equal("MessageGroupId", Assert.Single(received.EnumerateObject()).Name);
    }

    [Fact]
    public async Task Sequence_numbers_have_20_digits_and_grow()
    {
        await CreateAsync();

        var first =
            (await SendAsync(""" "MessageBody":"a","MessageGroupId":"g","MessageDeduplicationId":"1" """)).GetProperty("SequenceNumber")
                .GetString()!;
        var second =
            (await SendAsync(""" "MessageBody":"a","MessageGroupId":"g","MessageDeduplicationId":"2" """)).GetProperty("SequenceNumber")
                .GetString()!;

        Assert.Matches("^[0-9]{20}$", first);
        Assert.True(string.CompareOrdinal(first, second) < 0);
    }

    [Fact]
    public async Task A_duplicate_is_answered_as_the_first_was()
    {
        await CreateAsync();

        var first = await SendAsync(""" "MessageBody":"a","MessageGroupId":"g","MessageDeduplicationId":"d" """);
        var second = await SendAsync(""" "MessageBody":"a","MessageGroupId":"g","MessageDeduplicationId":"d" """);

        Assert.Equal(first.GetRawText(), second.GetRawText());
        Assert.Single(await ReceiveAsync());
    }

    [Fact]
    public async Task Content_based_deduplication_takes_the_SHA_256_of_the_text_however_it_is_escaped()
    {
        await CreateAsync(""","ContentBasedDeduplication":"true" """);

        await SendAsync(""" "MessageBody":"hello","MessageGroupId":"g" """);
        await SendAsync(""" "MessageBody":"\u0068ello","MessageGroupId":"g" """);
        await SendAsync(""" "MessageBody":"hello","MessageGroupId":"g","MessageDeduplicationId":"explicit" """);

        var received = await ReceiveAsync(""" "MessageSystemAttributeNames":["MessageDeduplicationId"] """);
        Assert.Equal(
            ["2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", "explicit"],
            received.Select(message => message.GetProperty("Attributes").GetProperty("MessageDeduplicationId").GetString()));
    }

    [Theory]
    [InlineData(""" "MessageDeduplicationId":"d" """, "MissingParameter", "The request must contain the parameter MessageGroupId.")]
    [InlineData(
        """ "MessageGroupId":"g" """, "InvalidParameterValue",
        "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly")]
    [InlineData(
        """ "MessageGroupId":"g","MessageDeduplicationId":"d","DelaySeconds":2 """, "InvalidParameterValue",
        "Value 2 for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type.")]
    [InlineData(
        """ "MessageGroupId":"","MessageDeduplicationId":"d" """, "InvalidParameterValue",
        "Value  for parameter MessageGroupId is invalid. Reason: MessageGroupId can only include alphanumeric and punctuation "
            + "characters. 1 to 128 in length.")]
    [InlineData(
        """ "MessageGroupId":"g","MessageDeduplicationId":"é" """, "InvalidParameterValue",
        "Value é for parameter MessageDeduplicationId is invalid. Reason: MessageDeduplicationId can only include alphanumeric and "
            + "punctuation characters. 1 to 128 in length.")]
    public async Task A_message_that_a_FIFO_queue_does_not_take_is_refused_in_the_words_of_SQS(string fields, string code, string message)
    {
        await CreateAsync();

        var refused = await SendAsync($""" "MessageBody":"a",{fields} """);

        Assert.Equal(
            ("com.amazonaws.sqs#" + code, message),
            (refused.GetProperty("__type").GetString(), refused.GetProperty("message").GetString()));
    }

    [Fact]
    public async Task A_delay_of_zero_is_taken_and_the_longest_ids_are()
    {
        await CreateAsync();
        var id = new string('~', 128);

        await SendAsync($""" "MessageBody":"a","MessageGroupId":"{id}","MessageDeduplicationId":"{id}","DelaySeconds":0 """);

        Assert.Single(await ReceiveAsync());
    }

    /// <summary>So does AWS, as LocalStack's tests have recorded it: for these two an entry does not fail alone.</summary>
    [Theory]
    [InlineData(""" "MessageGroupId":"g" """)]
    [InlineData(""" "MessageDeduplicationId":"d" """)]
    public async Task A_batch_with_an_entry_that_misses_an_id_is_refused_as_a_whole(string fields)
    {
        await CreateAsync();

        var refused = await host.CallAsync(
            "SendMessageBatch",
            $$"""
            {"QueueUrl":"{{_queue}}","Entries":[{"Id":"1","MessageBody":"a","MessageGroupId":"g",
            "MessageDeduplicationId":"1"},{"Id":"2","MessageBody":"b",{{fields}}}]}
            """);

        Assert.Equal("com.amazonaws.sqs#InvalidParameterValue", refused.GetProperty("__type").GetString());
        Assert.Empty(await ReceiveAsync());
    }

    [Fact]
    public async Task Entries_with_an_invalid_id_fail_alone_and_each_of_the_others_gets_its_number()
    {
        await CreateAsync();

        var answer = await host.CallAsync(
            "SendMessageBatch",
            $$"""
            {"QueueUrl":"{{_queue}}","Entries":[
              {"Id":"1","MessageBody":"a","MessageGroupId":"g","MessageDeduplicationId":"1"},
              {"Id":"2","MessageBody":"b","MessageGroupId":"with space","MessageDeduplicationId":"2"},
              {"Id":"3","MessageBody":"c","MessageGroupId":"g","MessageDeduplicationId":"3"}]}
            """);

        var sent = answer.GetProperty("Successful").EnumerateArray().ToArray();
        Assert.Equal(["1", "3"], sent.Select(entry => entry.GetProperty("Id").GetString()));
        Assert.Equal(2, sent.Select(entry => entry.GetProperty("SequenceNumber").GetString()).Distinct().Count());
        Assert.Equal("2", answer.GetProperty("Failed")[0].GetProperty("Id").GetString());
    }

    [Fact]
    public async Task A_delete_that_comes_too_late_is_refused_in_the_words_of_SQS()
    {
        await CreateAsync();
        await SendAsync(""" "MessageBody":"a","MessageGroupId":"g","MessageDeduplicationId":"d" """);
        var handle = (await ReceiveAsync())[0].GetProperty("ReceiptHandle").GetString();
        host.Time.Advance(TimeSpan.FromSeconds(30));

        var refused = await host.CallAsync("DeleteMessage", $$"""{"QueueUrl":"{{_queue}}","ReceiptHandle":"{{handle}}"}""");

        Assert.Equal("com.amazonaws.sqs#InvalidParameterValue", refused.GetProperty("__type").GetString());
        Assert.Contains("The receipt handle has expired.", refused.GetProperty("message").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Attributes_of_a_FIFO_queue_are_returned_together_and_one_by_one()
    {
        await CreateAsync();

        var all = await host.CallAsync("GetQueueAttributes", $$"""{"QueueUrl":"{{_queue}}","AttributeNames":["All"]}""");
        var one = await host.CallAsync("GetQueueAttributes", $$"""{"QueueUrl":"{{_queue}}","AttributeNames":["FifoQueue"]}""");

        Assert.Equal("perQueue", all.GetProperty("Attributes").GetProperty("FifoThroughputLimit").GetString());
        Assert.Equal("true", Assert.Single(one.GetProperty("Attributes").EnumerateObject()).Value.GetString());
    }

    [Fact]
    public async Task A_standard_queue_keeps_a_group_and_shows_it()
    {
        await host.CallAsync("CreateQueue", """{"QueueName":"fair"}""");

        var sent = await host.CallAsync("SendMessage", """{"QueueUrl":"fair","MessageBody":"a","MessageGroupId":"tenant"}""");
        var received = await host.CallAsync(
            "ReceiveMessage", """{"QueueUrl":"fair","MessageSystemAttributeNames":["MessageGroupId","SequenceNumber"]}""");

        Assert.False(sent.TryGetProperty("SequenceNumber", out _));
        Assert.Equal("""{"MessageGroupId":"tenant"}""", received.GetProperty("Messages")[0].GetProperty("Attributes").GetRawText());
    }

    private async Task CreateAsync(string more = "") =>
        await host.CallAsync("CreateQueue", $$$"""{"QueueName":"{{{_queue}}}","Attributes":{"FifoQueue":"true"{{{more}}}}}""");

    private Task<JsonElement> SendAsync(string fields) => host.CallAsync("SendMessage", $$"""{"QueueUrl":"{{_queue}}",{{fields}}}""");

    private async Task<JsonElement[]> ReceiveAsync(string fields = """ "WaitTimeSeconds":0 """)
    {
        var answer = await host.CallAsync("ReceiveMessage", $$"""{"QueueUrl":"{{_queue}}","MaxNumberOfMessages":10,{{fields}}}""");
        return answer.TryGetProperty("Messages", out var messages) ? [.. messages.EnumerateArray()] : [];
    }
}
