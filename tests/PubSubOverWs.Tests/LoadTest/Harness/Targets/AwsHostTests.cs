using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

public sealed class AwsHostTests
{
    [Theory]
    [InlineData("https://sqs.eu-central-1.amazonaws.com")]
    [InlineData("https://SQS.EU-CENTRAL-1.AMAZONAWS.COM.")]
    [InlineData("http://sqs.us-east-1.amazonaws.com:80/123456789012/mine")]
    [InlineData("https://sqs.cn-north-1.amazonaws.com.cn")]
    [InlineData("https://sqs-fips.us-east-1.amazonaws.com")]
    [InlineData("https://sqs.us-east-1.api.aws")]
    [InlineData("https://us-west-2.queue.amazonaws.com")]
    [InlineData("https://queue.amazonaws.com")]
    [InlineData("https://vpce-0abc-def.sqs.us-east-1.vpce.amazonaws.com")]
    [InlineData("https://sqs.eusc-de-east-1.amazonaws.eu")]
    public void Every_form_of_an_endpoint_of_SQS_is_known(string address) => Assert.True(AwsHost.IsSqs(new Uri(address)));

    [Theory]
    [InlineData("http://127.0.0.1:9324")]
    [InlineData("http://localhost:4566")]
    [InlineData("http://sqs.us-east-1.localhost.localstack.cloud:4566")]
    [InlineData("http://ec2-1-2-3-4.eu-central-1.compute.amazonaws.com:4566")]
    [InlineData("http://sqs.amazonaws.com@127.0.0.1:9324")]
    [InlineData("http://sqs.amazonaws.com.example.org")]
    [InlineData("http://sqs")]
    public void Any_other_address_is_not_an_endpoint_of_SQS(string address) => Assert.False(AwsHost.IsSqs(new Uri(address)));
}
