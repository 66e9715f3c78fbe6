using System.Net;
using System.Text.Json;

namespace PubSubOverWs.Tests.LocalSqs;

/// <summary>Errors as SQS shapes them, for requests beyond those of the contract.</summary>
public sealed class ErrorShapeTests(LocalSqsHost host) : IClassFixture<LocalSqsHost>
{
    private const string Legacy = "AWS.SimpleQueueService.";

    [Theory]
    [InlineData("GetQueueUrl", "[]", "SerializationException", "MalformedInput")]
    [InlineData("GetQueueUrl", "", "SerializationException", "MalformedInput")]
    [InlineData("GetQueueAttributes", """{"QueueUrl":"$URL","AttributeNames":[null]}""", "SerializationException", "MalformedInput")]
    [InlineData("GetQueueAttributes", """{"QueueUrl":"$URL","AttributeNames":["FifoQueue"]}""", "InvalidAttributeName")]
    [InlineData("ListQueues", """{"MaxResults":1.5}""", "SerializationException", "MalformedInput")]
    [InlineData("ReceiveMessage", """{"QueueUrl":"$URL","VisibilityTimeout":"x"}""", "SerializationException", "MalformedInput")]
    [InlineData("ChangeMessageVisibility", """{"QueueUrl":"$URL","VisibilityTimeout":5}""", "MissingParameter")]
    [InlineData("SendMessage", """{"QueueUrl":"$URL","MessageBody":"\ud800"}""", "InvalidMessageContents")]
    [InlineData(
        "SendMessage", """{"QueueUrl":"$URL","MessageBody":"a","MessageSystemAttributes":{}}""", "UnsupportedOperation",
        Legacy + "UnsupportedOperation")]
    [InlineData("SendMessage", """{"QueueUrl":"$URL","MessageBody":"a","MessageDeduplicationId":"x"}""", "InvalidParameterValue")]
    [InlineData("SendMessage", """{"QueueUrl":"$URL","MessageBody":"a","MessageGroupId":"with space"}""", "InvalidParameterValue")]
    [InlineData(
        "SendMessage", """{"QueueUrl":"$URL","MessageBody":"a","MessageAttributes":[]}""", "SerializationException", "MalformedInput")]
    [InlineData("SendMessageBatch", """{"QueueUrl":"$URL","Entries":[]}""", "EmptyBatchRequest", Legacy + "EmptyBatchRequest")]
    [InlineData(
        "CreateQueue", """{"QueueName":"tagged","tags":{"team":"relay"}}""", "UnsupportedOperation", Legacy + "UnsupportedOperation")]
    [InlineData("TagQueue", "{}", "UnknownOperationException", "InvalidAction")]
    public async Task An_error_has_its_status_its_type_and_its_older_code(
        string operation, string request, string type, string? older = null)
    {
        using var response = await host.PostAsync(operation, request);

        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Equal("application/x-amz-json-1.0", response.Content.Headers.ContentType?.ToString());
        Assert.Equal([(older ?? type) + ";Sender"], response.Headers.GetValues("x-amzn-query-error"));
        using var answer = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
        Assert.Equal("com.amazonaws.sqs#" + type, answer.RootElement.GetProperty("__type").GetString());
        Assert.NotEmpty(answer.RootElement.GetProperty("message").GetString()!);
    }

    [Fact]
    public async Task A_queue_that_was_refused_for_its_tags_is_not_there()
    {
        await host.AnswerAsync("CreateQueue", """{"QueueName":"labelled","tags":{"team":"relay"}}""");

        Assert.Equal(
            "com.amazonaws.sqs#QueueDoesNotExist",
            (await host.AnswerAsync("GetQueueUrl", """{"QueueName":"labelled"}""")).GetProperty("__type").GetString());
        await host.AnswerAsync("CreateQueue", """{"QueueName":"labelled","tags":{}}""");
        Assert.True((await host.AnswerAsync("GetQueueUrl", """{"QueueName":"labelled"}""")).TryGetProperty("QueueUrl", out _));
    }

    [Fact]
    public async Task Of_an_attribute_that_is_there_twice_the_last_counts_and_of_a_queue_URL_only_its_last_part()
    {
        await host.AnswerAsync("CreateQueue", """{"QueueName":"twice","Attributes":{"DelaySeconds":"1","DelaySeconds":"2"}}""");

        var answer = await host.AnswerAsync(
            "GetQueueAttributes", """{"AttributeNames":["DelaySeconds","QueueArn"],"QueueUrl":"http://elsewhere/1/twice"}""");
        Assert.Equal(
            """{"DelaySeconds":"2","QueueArn":"arn:aws:sqs:us-east-1:000000000000:twice"}""",
            answer.GetProperty("Attributes").GetRawText());
    }

    [Fact]
    public async Task A_browser_is_told_what_this_server_is_and_a_call_that_is_no_post_is_refused()
    {
        using var client = host.CreateClient();

        Assert.Equal("up", await client.GetStringAsync("/health"));
        var text = await client.GetStringAsync("/");
        using var call = await client.GetAsync("/?Action=ListQueues");

        Assert.StartsWith("LocalSqs: SQS queues and SNS topics in memory. Clients of AWS use http://", text, StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.BadRequest, call.StatusCode);
    }
}
