using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

public sealed class SqsClientTests
{
    private readonly SqsOptions _options = new() { Endpoint = "http://127.0.0.1:9324" };

    [Fact]
    public void Our_own_client_is_the_default() => Assert.IsType<SqsOverHttp>(SqsClient.Create(_options, TimeProvider.System));

    [Fact]
    public void That_of_the_AWS_SDK_is_refused_in_one_sentence_unless_the_program_was_built_with_it()
    {
        _options.Client = SqsClientKind.AwsSdk;

        var failure = Record.Exception(() => SqsClient.Create(_options, TimeProvider.System));

        if (typeof(SqsClient).Assembly.GetType("PubSubOverWs.Sqs.SqsOverAwsSdk") is not null)
        {
            Assert.Null(failure);
            return;
        }
        Assert.Equal(
            "Sqs:Client is AwsSdk, and this program was built without AWSSDK.SQS: build it with -p:AwsPackages=true, or set Sqs:Client to Http.",
            Assert.IsType<SqsException>(failure).Message);
    }
}
