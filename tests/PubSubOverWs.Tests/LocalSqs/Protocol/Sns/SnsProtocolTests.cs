using System.Net;
using System.Xml.Linq;

namespace PubSubOverWs.Tests.LocalSqs;

/// <summary>SNS as LocalSqs speaks it, to calls beyond those of the contract.</summary>
public sealed class SnsProtocolTests(LocalSqsHost host) : IClassFixture<LocalSqsHost>
{
    private const string Ns = "{http://sns.amazonaws.com/doc/2010-03-31/}";
    private const string Arn = "arn:aws:sns:us-east-1:000000000000:";

    [Theory]
    [InlineData("Action=GetTopicAttributes&TopicArn=" + Arn + "nowhere", 404, "NotFound")]
    [InlineData("Action=GetTopicAttributes", 400, "InvalidParameter")]
    [InlineData("Action=GetSubscriptionAttributes&SubscriptionArn=" + Arn + "nowhere:1", 404, "NotFound")]
    [InlineData("Action=Publish&TopicArn=" + Arn + "nowhere&Message=%01", 400, "InvalidParameter")]
    [InlineData("Action=Publish&TopicArn=" + Arn + "nowhere&Message=%FF", 400, "InvalidParameter")]
    [InlineData("Action=Publish&TopicArn=" + Arn + "nowhere&Message=x&%01%3C=y", 400, "InvalidParameter")]
    [InlineData("Action=PublishBatch&TopicArn=" + Arn + "nowhere&PublishBatchRequestEntries=", 400, "EmptyBatchRequest")]
    [InlineData("Action=ListSubscriptionsByTopic&TopicArn=" + Arn + "nowhere&NextToken=x", 400, "InvalidParameter")]
    [InlineData(
        "Action=Subscribe&TopicArn=" + Arn
            + "x&Protocol=sqs&Endpoint=queue&Attributes.entry.1.key=RawMessageDelivery&Attributes.entry.1.value=true", 400,
                "InvalidParameter")]
    [InlineData("Action=ConfirmSubscription", 400, "InvalidAction")]
    [InlineData("", 400, "InvalidAction")]
    public async Task An_error_has_its_status_and_its_code(string form, int status, string code) =>
        Assert.NotEmpty(await RefusedAsync($"Version=2010-03-31&{form}", (HttpStatusCode)status, code));

    [Fact]
    public async Task The_older_protocol_of_SQS_is_refused_with_a_sentence() => Assert.Contains(
        "calls of SQS must be AWS JSON 1.0",
        await RefusedAsync("Action=SendMessage&Version=2012-11-05&MessageBody=x", HttpStatusCode.BadRequest, "InvalidAction"),
        StringComparison.Ordinal);

    /// <summary>The message of the error.</summary>
    private async Task<string> RefusedAsync(string form, HttpStatusCode status, string code)
    {
        using var response = await host.PostSnsAsync(form);
        Assert.Equal(status, response.StatusCode);
        Assert.Equal("text/xml", response.Content.Headers.ContentType?.ToString());
        var answer = XElement.Parse(await response.Content.ReadAsStringAsync());
        Assert.Equal(Ns + "ErrorResponse", answer.Name.ToString());
        Assert.NotEmpty(answer.Element(Ns + "RequestId")!.Value);
        var error = answer.Element(Ns + "Error")!;
        Assert.Equal(("Sender", code), (error.Element(Ns + "Type")!.Value, error.Element(Ns + "Code")!.Value));
        return error.Element(Ns + "Message")!.Value;
    }
}
