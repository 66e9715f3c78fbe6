using System.Net;
using System.Text.Json;

namespace PubSubOverWs.Tests.LocalSqs;

/// <summary>Errors as SQS shapes them, for requests that our own client would not write.</summary>
public sealed class ErrorShapeTests(LocalSqsHost host) : IClassFixture<LocalSqsHost>
{
    [Theory]
    [InlineData("GetQueueUrl", """{"QueueName":"nowhere"}""", 400, "QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue")]
    [InlineData("GetQueueUrl", "{}", 400, "MissingParameter", "MissingParameter")]
    [InlineData("GetQueueUrl", "[]", 400, "SerializationException", "MalformedInput")]
    [InlineData("GetQueueUrl", "", 400, "SerializationException", "MalformedInput")]
    [InlineData("ReceiveMessage", "{}", 400, "MissingParameter", "MissingParameter")]
    [InlineData(
        "ReceiveMessage", """{"QueueUrl":"$URL","MaxNumberOfMessages":11}""", 400, "InvalidParameterValue", "InvalidParameterValue")]
    [InlineData("ReceiveMessage", """{"QueueUrl":"$URL","WaitTimeSeconds":21}""", 400, "InvalidParameterValue", "InvalidParameterValue")]
    [InlineData("ReceiveMessage", """{"QueueUrl":"$URL","VisibilityTimeout":"x"}""", 400, "SerializationException", "MalformedInput")]
    [InlineData("SendMessage", """{"QueueUrl":"$URL"}""", 400, "MissingParameter", "MissingParameter")]
    [InlineData("SendMessage", """{"QueueUrl":"$URL","MessageBody":""}""", 400, "MissingParameter", "MissingParameter")]
    [InlineData("SendMessage", """{"QueueUrl":"$URL","MessageBody":"\ud800"}""", 400, "InvalidMessageContents", "InvalidMessageContents")]
    [InlineData(
        "SendMessage", """{"QueueUrl":"$URL","MessageBody":"a","DelaySeconds":901}""", 400, "InvalidParameterValue",
        "InvalidParameterValue")]
    [InlineData(
        "SendMessage", """{"QueueUrl":"$URL","MessageBody":"a","MessageSystemAttributes":{}}""", 400, "UnsupportedOperation",
        "AWS.SimpleQueueService.UnsupportedOperation")]
    [InlineData(
        "SendMessage", """{"QueueUrl":"$URL","MessageBody":"a","MessageDeduplicationId":"x"}""", 400, "InvalidParameterValue",
        "InvalidParameterValue")]
    [InlineData(
        "SendMessage", """{"QueueUrl":"$URL","MessageBody":"a","MessageGroupId":"with space"}""", 400, "InvalidParameterValue",
        "InvalidParameterValue")]
    [InlineData(
        "SendMessage", """{"QueueUrl":"$URL","MessageBody":"a","MessageAttributes":[]}""", 400, "SerializationException", "MalformedInput")]
    [InlineData(
        "SendMessageBatch", """{"QueueUrl":"$URL","Entries":[]}""", 400, "EmptyBatchRequest", "AWS.SimpleQueueService.EmptyBatchRequest")]
    [InlineData(
        "SendMessageBatch", """{"QueueUrl":"$URL","Entries":[{"Id":"a b","MessageBody":"x"}]}""", 400, "InvalidBatchEntryId",
        "AWS.SimpleQueueService.InvalidBatchEntryId")]
    [InlineData(
        "SendMessageBatch", """{"QueueUrl":"$URL","Entries":[{"Id":"a","MessageBody":"x"},{"Id":"a","MessageBody":"y"}]}""", 400,
        "BatchEntryIdsNotDistinct", "AWS.SimpleQueueService.BatchEntryIdsNotDistinct")]
    [InlineData(
        "DeleteMessage", """{"QueueUrl":"$URL","ReceiptHandle":"nonsense"}""", 400, "ReceiptHandleIsInvalid", "ReceiptHandleIsInvalid")]
    [InlineData("ChangeMessageVisibility", """{"QueueUrl":"$URL","VisibilityTimeout":5}""", 400, "MissingParameter", "MissingParameter")]
    [InlineData(
        "GetQueueAttributes", """{"QueueUrl":"$URL","AttributeNames":["Colour"]}""", 400, "InvalidAttributeName", "InvalidAttributeName")]
    [InlineData(
        "GetQueueAttributes", """{"QueueUrl":"$URL","AttributeNames":["FifoQueue"]}""", 400, "InvalidAttributeName",
        "InvalidAttributeName")]
    [InlineData(
        "CreateQueue", """{"QueueName":"tagged","tags":{"team":"relay"}}""", 400, "UnsupportedOperation",
        "AWS.SimpleQueueService.UnsupportedOperation")]
    [InlineData("ListQueues", """{"MaxResults":1.5}""", 400, "SerializationException", "MalformedInput")]
    [InlineData("GetQueueAttributes", """{"QueueUrl":"$URL","AttributeNames":[null]}""", 400, "SerializationException", "MalformedInput")]
    [InlineData("TagQueue", "{}", 400, "UnknownOperationException", "InvalidAction")]
    public async Task An_error_has_its_status_its_type_and_its_older_code(
        string operation, string request, int status, string type, string older)
    {
        using var response = await host.PostAsync(operation, request);

        Assert.Equal((HttpStatusCode)status, response.StatusCode);
        Assert.Equal("application/x-amz-json-1.0", response.Content.Headers.ContentType?.ToString());
        Assert.Equal([older + ";Sender"], response.Headers.GetValues("x-amzn-query-error"));
        using var answer = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
        Assert.Equal("com.amazonaws.sqs#" + type, answer.RootElement.GetProperty("__type").GetString());
        Assert.NotEmpty(answer.RootElement.GetProperty("message").GetString()!);
    }

    [Fact]
    public async Task A_queue_that_was_refused_for_its_tags_is_not_there()
    {
        await host.CallAsync("CreateQueue", """{"QueueName":"labelled","tags":{"team":"relay"}}""");

        Assert.Equal(
            "com.amazonaws.sqs#QueueDoesNotExist",
            (await host.CallAsync("GetQueueUrl", """{"QueueName":"labelled"}""")).GetProperty("__type").GetString());
        await host.CallAsync("CreateQueue", """{"QueueName":"labelled","tags":{}}""");
        Assert.True((await host.CallAsync("GetQueueUrl", """{"QueueName":"labelled"}""")).TryGetProperty("QueueUrl", out _));
    }

    [Fact]
    public async Task Of_an_attribute_that_is_there_twice_the_last_counts()
    {
        await host.CallAsync("CreateQueue", """{"QueueName":"twice","Attributes":{"DelaySeconds":"1","DelaySeconds":"2"}}""");

        var answer = await host.CallAsync(
            "GetQueueAttributes", """{"QueueUrl":"http://localhost/000000000000/twice","AttributeNames":["DelaySeconds"]}""");
        Assert.Equal("2", answer.GetProperty("Attributes").GetProperty("DelaySeconds").GetString());
    }

    [Fact]
    public async Task Eleven_entries_are_too_many()
    {
        var entries = string.Join(",", Enumerable.Range(0, 11).Select(index => $$"""{"Id":"{{index}}","MessageBody":"x"}"""));

        using var response = await host.PostAsync("SendMessageBatch", $$"""{"QueueUrl":"$URL","Entries":[{{entries}}]}""");

        Assert.Contains("TooManyEntriesInBatchRequest", await response.Content.ReadAsStringAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_message_larger_than_its_queue_takes_is_a_failed_entry()
    {
        await host.PostAsync("CreateQueue", """{"QueueName":"small","Attributes":{"MaximumMessageSize":"1024"}}""");
        var large = new string('x', 1025);

        using var response = await host.PostAsync(
            "SendMessageBatch",
            $$"""{"Entries":[{"Id":"l","MessageBody":"{{large}}"},{"Id":"s","MessageBody":"x"}],"QueueUrl":"http://elsewhere/1/small"}""");

        using var answer = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
        Assert.Equal("s", answer.RootElement.GetProperty("Successful")[0].GetProperty("Id").GetString());
        var failed = answer.RootElement.GetProperty("Failed")[0];
        Assert.Equal(
            ("l", true, "InvalidParameterValue"),
            (failed.GetProperty("Id").GetString(), failed.GetProperty("SenderFault").GetBoolean(), failed.GetProperty("Code").GetString()));
    }

    [Fact]
    public async Task A_client_of_the_older_protocol_gets_an_error_that_says_so()
    {
        using var request = host.Form("Action=ListQueues&Version=2012-11-05");
        await LocalSqsHost.SignAsync(request, signedHeaders: "content-type;host;x-amz-date");
        using var response = await host.SendAsync(request);

        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Contains("AWS JSON 1.0", await response.Content.ReadAsStringAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_health_check_answers_that_the_server_is_up()
    {
        using var client = host.CreateClient();

        Assert.Equal("up", await client.GetStringAsync("/health"));
    }

    [Fact]
    public async Task A_browser_is_told_what_this_server_is_and_a_call_that_is_no_post_is_refused()
    {
        using var client = host.CreateClient();

        var text = await client.GetStringAsync("/");
        using var call = await client.GetAsync("/?Action=ListQueues");

        Assert.StartsWith("LocalSqs: SQS queues and SNS topics in memory. Clients of AWS use http://", text, StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.BadRequest, call.StatusCode);
    }
}
