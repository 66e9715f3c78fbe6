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

    private static ISqs Create(SqsOptions options)
    {
        options.Endpoint = "http://127.0.0.1:9324";
        return SqsClient.Create(options, new FakeTime());
    }
}
