using System.Net;
using System.Text;
using System.Text.Json;
using System.Xml.Linq;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.LocalSqs;

/// <summary>SNS as LocalSqs speaks it, to our client and to others.</summary>
public sealed class SnsProtocolTests(LocalSqsHost host) : IClassFixture<LocalSqsHost>
{
    private const string Ns = "{http://sns.amazonaws.com/doc/2010-03-31/}";
    private const string Arn = "arn:aws:sns:us-east-1:000000000000:";

    [Theory]
    [InlineData("Action=GetTopicAttributes&TopicArn=" + Arn + "nowhere", 404, "NotFound")]
    [InlineData("Action=GetTopicAttributes", 400, "InvalidParameter")]
    [InlineData("Action=GetSubscriptionAttributes&SubscriptionArn=" + Arn + "nowhere:1", 404, "NotFound")]
    [InlineData("Action=Publish&TopicArn=prices&Message=x", 400, "InvalidParameter")]
    [InlineData("Action=Publish&TopicArn=" + Arn + "nowhere&Message=%01", 400, "InvalidParameter")]
    [InlineData("Action=Publish&TopicArn=" + Arn + "nowhere&Message=%FF", 400, "InvalidParameter")]
    [InlineData("Action=Publish&TopicArn=" + Arn + "nowhere&Message=x&%01%3C=y", 400, "InvalidParameter")]
    [InlineData("Action=PublishBatch&TopicArn=" + Arn + "nowhere", 400, "EmptyBatchRequest")]
    [InlineData("Action=PublishBatch&TopicArn=" + Arn + "nowhere&PublishBatchRequestEntries=", 400, "EmptyBatchRequest")]
    [InlineData("Action=ListSubscriptionsByTopic&TopicArn=" + Arn + "nowhere&NextToken=x", 400, "InvalidParameter")]
    [InlineData(
        "Action=Subscribe&TopicArn=" + Arn
            + "x&Protocol=sqs&Endpoint=queue&Attributes.entry.1.key=RawMessageDelivery&Attributes.entry.1.value=true", 400,
                "InvalidParameter")]
    [InlineData("Action=ConfirmSubscription", 400, "InvalidAction")]
    [InlineData("", 400, "InvalidAction")]
    public async Task An_error_has_its_status_and_its_code(string form, int status, string code)
    {
        using var response = await host.PostFormAsync($"Version=2010-03-31&{form}");

        await RefusedAsync(response, (HttpStatusCode)status, code);
    }

    [Fact]
    public async Task The_older_protocol_of_SQS_is_refused_with_a_sentence()
    {
        using var response = await host.PostFormAsync("Action=SendMessage&Version=2012-11-05&MessageBody=x");

        Assert.Contains(
            "calls of SQS must be AWS JSON 1.0", await RefusedAsync(response, HttpStatusCode.BadRequest, "InvalidAction"),
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("test", "test", "sqs", "SignatureDoesNotMatch")]
    [InlineData("test", "other", "sns", "SignatureDoesNotMatch")]
    [InlineData("other", "test", "sns", "InvalidClientTokenId")]
    public async Task A_call_that_is_not_signed_for_SNS_with_the_key_is_refused(
        string accessKey, string secretKey, string service, string code)
    {
        using var request = host.Form("Action=ListTopics&Version=2010-03-31");
        await LocalSqsHost.SignAsync(request, accessKey, secretKey, "host;x-amz-date", service);

        await RefusedAsync(await host.SendAsync(request), HttpStatusCode.Forbidden, code);
    }

    [Fact]
    public async Task An_unsigned_call_to_SNS_is_refused()
    {
        using var request = host.Form("Action=ListTopics&Version=2010-03-31");

        await RefusedAsync(await host.SendAsync(request), HttpStatusCode.Forbidden, "MissingAuthenticationToken");
    }

    [Fact]
    public async Task A_call_of_SQS_that_is_signed_for_SNS_is_refused()
    {
        using var request = host.Request("ListQueues", "{}");
        await LocalSqsHost.SignAsync(request, service: "sns");

        using var response = await host.SendAsync(request);

        Assert.Equal(HttpStatusCode.Forbidden, response.StatusCode);
        Assert.Equal(["SignatureDoesNotMatch;Sender"], response.Headers.GetValues("x-amzn-query-error"));
    }

    [Fact]
    public async Task Our_client_publishes_to_a_queue()
    {
        var topic = await host.Sns.CreateTopicAsync("prices", CancellationToken.None);
        var queue = await host.Sqs.GetQueueAttributesAsync(host.Url, CancellationToken.None);
        await host.CallAsync("SetQueueAttributes", JsonSerializer.Serialize(
            new { QueueUrl = host.Url, Attributes = new { Policy = TopicPolicy.Allow(queue.Arn, topic) } }));
        var subscription = await host.Sns.SubscribeQueueAsync(topic, queue.Arn, CancellationToken.None);

        var results = await host.Sns.PublishBatchAsync(topic, ["first"u8.ToArray(), "bell \u0007"u8.ToArray()], CancellationToken.None);

        Assert.Equal([null, SnsErrorCode.InvalidParameter], results.Select(result => result.Failure?.Code));
        Assert.Equal("first", Encoding.UTF8.GetString(Assert.Single(await host.ReceiveAsync()).Body.Span));
        Assert.Equal(
            [new TopicSubscription(subscription, queue.Arn)], await host.Sns.ListSubscriptionsAsync(topic, CancellationToken.None));
        await host.Sns.UnsubscribeAsync(subscription, CancellationToken.None);
        Assert.Equal([topic], await host.Sns.ListTopicsAsync("pri", CancellationToken.None));
        await host.Sns.DeleteTopicAsync(topic, CancellationToken.None);
        Assert.Empty(await host.Sns.ListTopicsAsync("", CancellationToken.None));
    }

    /// <summary>The message of the error.</summary>
    private static async Task<string> RefusedAsync(HttpResponseMessage response, HttpStatusCode status, string code)
    {
        Assert.Equal(status, response.StatusCode);
        Assert.Equal("text/xml", response.Content.Headers.ContentType?.ToString());
        var error = XElement.Parse(await response.Content.ReadAsStringAsync());
        Assert.Equal(Ns + "ErrorResponse", error.Name.ToString());
        Assert.Equal("Sender", error.Element(Ns + "Error")!.Element(Ns + "Type")!.Value);
        Assert.Equal(code, error.Element(Ns + "Error")!.Element(Ns + "Code")!.Value);
        Assert.NotEmpty(error.Element(Ns + "RequestId")!.Value);
        return error.Element(Ns + "Error")!.Element(Ns + "Message")!.Value;
    }
}
