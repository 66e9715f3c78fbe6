using System.Net;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>
/// A queue that answers what chance says: what SQS would say to some call, nearly that, anything, late, or not to the end.
/// </summary>
internal sealed class AnsweringServer(Draw draw) : HttpMessageHandler
{
    // More pages than a list of queues can have.
    private const int MaxCalls = 10_000;

    private int _calls;

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        Assert.True(++_calls < MaxCalls, "The client asks again and again.");
        if (draw.OneIn(20))
            throw draw.OneIn(2) ? new HttpRequestException("no") : new IOException("no");
        if (draw.OneIn(20))
            await new TaskCompletionSource().Task.WaitAsync(cancellationToken);
        var status = draw.OneIn(5)
            ? draw.Of(HttpStatusCode.BadRequest, HttpStatusCode.Forbidden, HttpStatusCode.TooManyRequests,
                HttpStatusCode.InternalServerError, HttpStatusCode.NoContent, HttpStatusCode.Found)
            : HttpStatusCode.OK;
        var bytes = JsonDraw.Bytes(draw, status == HttpStatusCode.OK ? Answer() : Error());
        return new HttpResponseMessage(status)
        { Content = draw.OneIn(20) ? new StreamContent(new BrokenStream(bytes)) : new ByteArrayContent(bytes) };
    }

    private string Error() => JsonDraw.Object(
        draw, ("__type", JsonDraw.Text(draw.Of("com.amazonaws.sqs#QueueDoesNotExist", "RequestThrottled", "#", "a.b", ""))),
        ("message", JsonDraw.Text("no")));

    private string Answer() => draw.Below(5) switch
    {
        0 => JsonDraw.Object(draw, ("QueueUrl", JsonDraw.Text("http://queue/jobs"))),
        1 =>
            JsonDraw.Object(
                draw, ("QueueUrls", JsonDraw.List(draw, draw.Below(3), _ => "\"http://queue/jobs\"")),
                ("NextToken", draw.OneIn(2) ? "null" : JsonDraw.Text($"{draw.Below(3)}"))),
        2 => JsonDraw.Object(draw, ("Attributes", JsonDraw.Object(
            draw, ("QueueArn", "\"arn\""), ("ApproximateNumberOfMessages", Number()), ("VisibilityTimeout", Number()),
            ("CreatedTimestamp", Number()), ("MaximumMessageSize", Number()),
            ("RedrivePolicy", JsonDraw.Text(JsonDraw.Object(draw, ("deadLetterTargetArn", "\"arn\""), ("maxReceiveCount", Number()))))))),
        3 => JsonDraw.Object(draw, ("Messages", JsonDraw.List(draw, draw.Below(4), index => JsonDraw.Object(
            draw, ("MessageId", $"\"{index}\""), ("ReceiptHandle", "\"handle\""), ("Body", draw.Of("\"body\"", "\"\\u00e9\\\\\"")),
            ("MD5OfBody", draw.Of("\"841a2d689ad86bd1611447453c22c6fc\"", "\"0\"")),
            ("Attributes", JsonDraw.Object(draw, ("ApproximateReceiveCount", Number()))))))),
        _ => JsonDraw.Object(
            draw,
            ("Successful",
                JsonDraw.List(
                    draw, draw.Below(4),
                    index =>
                        JsonDraw.Object(
                            draw, ("Id", Id(index)), ("MessageId", "\"m\""),
                            ("MD5OfMessageBody", draw.Of("\"0cc175b9c0f1b6a831c399e269772661\"", "\"zz\""))))),
            ("Failed",
                JsonDraw.List(
                    draw, draw.Below(3),
                    index =>
                        JsonDraw.Object(
                            draw, ("Id", Id(index)), ("Code", "\"InternalError\""), ("Message", "\"no\""),
                            ("SenderFault", draw.Of("true", "false")))))),
    };

    private string Number() =>
        draw.OneIn(3) ? draw.Of("\"9223372036854775807\"", "\"-1\"", "\"\"", "\"x\"", "7", "\"3000000000\"") : $"\"{draw.Below(100)}\"";

    private string Id(int index) => draw.OneIn(5) ? draw.Of("\"9\"", "\"-1\"", "\"99999999999\"", "\"x\"", "0") : $"\"{index}\"";

    // Ends in the middle, as a connection that breaks does.
    private sealed class BrokenStream(byte[] bytes) : MemoryStream(bytes)
    {
        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            Position == Length ? throw new IOException("It broke.") : base.ReadAsync(buffer, cancellationToken);
    }
}
