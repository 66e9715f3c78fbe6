using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

public sealed class SqsClientTests
{
    [Fact]
    public void Our_own_client_is_the_default() => Assert.IsType<SqsOverHttp>(Create(new SqsOptions()));

    [Theory]
    [InlineData(SqsClientKind.Http, typeof(SqsOverHttp))]
    [InlineData(SqsClientKind.AwsSdk, typeof(SqsOverAwsSdk))]
    public void Either_client_can_be_named(SqsClientKind client, Type type) =>
        Assert.IsType(type, Create(new SqsOptions { Client = client }));

    [Theory]
    [InlineData("eu-central-1", "https://sqs.eu-central-1.amazonaws.com/")]
    [InlineData("cn-north-1", "https://sqs.cn-north-1.amazonaws.com.cn/")]
    public void Without_an_endpoint_calls_go_to_AWS_in_the_region(string region, string endpoint)
    {
        using var sqs = new SqsOverHttp(new SqsOptions { Region = region }, new FakeTime());

        Assert.Equal(endpoint, sqs.Endpoint.AbsoluteUri);
    }

    private static ISqs Create(SqsOptions options)
    {
        options.Endpoint = "http://127.0.0.1:9324";
        return SqsClient.Create(options, new FakeTime());
    }
}
