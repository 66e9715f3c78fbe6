using System.Net;
using System.Text;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

/// <summary>Our client of SNS before a scripted server, with a clock that the test moves.</summary>
internal sealed class TestTopicClient : IDisposable
{
    public const string TopicArn = "arn:aws:sns:eu-central-1:000000000000:prices";
    public const string QueueArn = "arn:aws:sqs:eu-central-1:000000000000:node-1";

    public TestTopicClient(Action<SqsOptions>? configure = null)
    {
        var options = new SqsOptions
        {
            Endpoint = "http://127.0.0.1:9324",
            Region = "eu-central-1",
            AccessKey = "AKIDEXAMPLE",
            SecretKey = "secret",
            RetryDelay = TimeSpan.Zero,
            MaxAttempts = 3,
        };
        configure?.Invoke(options);
        Sns = new SnsOverHttp(options, Time, Traffic, Server);
    }

    public FakeTime Time { get; } = new();

    public ScriptedServer Server { get; } = new();

    public QueueTraffic Traffic { get; } = new();

    public SnsOverHttp Sns { get; }

    /// <summary>The next call is answered so.</summary>
    /// <param name="action">Such as <c>Subscribe</c>.</param>
    /// <param name="result">What stands in the result.</param>
    public TestTopicClient Answers(string action, string result)
    {
        Server.Says(HttpStatusCode.OK, $"""
            <{action}Response xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><{action}Result>{result}</{action}Result>
            <ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></{action}Response>
            """);
        return this;
    }

    public TestTopicClient Refuses(HttpStatusCode status, string code, string message)
    {
        Server.Says(
            status,
            $"""
            <ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>{code}</Code>
            <Message>{message}</Message></Error><RequestId>r</RequestId></ErrorResponse>
            """);
        return this;
    }

    public Task<IReadOnlyList<EntryResult>> PublishAsync(params string[] texts) => Sns.PublishBatchAsync(
        TopicArn, [.. texts.Select(text => new ReadOnlyMemory<byte>(Encoding.UTF8.GetBytes(text)))], CancellationToken.None).AsTask();

    public static string Done(int index) => $"<member><Id>{index}</Id><MessageId>m{index}</MessageId></member>";

    public static string Failed(int index, string code, bool senderFault) =>
        $"<member><Id>{index}</Id><Code>{code}</Code><Message>no</Message>"
            + $"<SenderFault>{(senderFault ? "true" : "false")}</SenderFault></member>";

    /// <summary>The parameters of the request at that place.</summary>
    public Dictionary<string, string> Form(
        int request) => Server.Seen[request].Body.Split('&').Select(parameter => parameter.Split('=')).ToDictionary(
        parameter => parameter[0], parameter => Uri.UnescapeDataString(parameter[1]));

    public void Dispose() => Sns.Dispose();
}
