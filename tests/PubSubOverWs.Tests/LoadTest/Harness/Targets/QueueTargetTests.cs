using Microsoft.Extensions.Configuration;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

public sealed class QueueTargetTests
{
    private static readonly Uri LocalSqs = new("http://127.0.0.1:40001/");
    private static readonly EndpointTarget Endpoint = new(new Uri("http://10.0.0.1:4566/"));
    private static readonly AwsTarget Aws = new("eu-west-1");

    private const string OnAws = """{"server":"pubsub","queue":{"name":"q","url":"https://sqs.eu-west-1.amazonaws.com/123456789012/q"}}""";

    private static readonly Uri Elsewhere = new("http://10.0.0.1:5000");

    [Fact]
    public void Each_queue_target_sends_its_server_to_its_own_queue_whatever_the_environment_says()
    {
        Assert.Equal(LocalSqs.ToString(), EndpointSeenBy(QueueTarget.Embedded));
        Assert.Equal(Endpoint.Address.ToString(), EndpointSeenBy(Endpoint));
        Assert.Equal("", EndpointSeenBy(Aws));
    }

    [Fact]
    public void A_server_without_an_endpoint_is_started_for_AWS_alone()
    {
        Assert.Throws<ArgumentNullException>(() => QueueTarget.Embedded.Server("q", localSqs: null));
        Assert.Throws<ArgumentNullException>(() => QueueTarget.Embedded.Connect(localSqs: null, new FakeTime()));
        var all = typeof(QueueTarget).Assembly.GetTypes().Where(type => type.IsSubclassOf(typeof(QueueTarget)));
        Assert.Equal([typeof(AwsTarget), typeof(EmbeddedTarget), typeof(EndpointTarget)], all.OrderBy(type => type.Name));
    }

    [Fact]
    public void On_AWS_the_server_uses_the_credentials_chain_of_AWS_and_the_region_that_was_named()
    {
        var server = Aws.Server("q", LocalSqs);

        Assert.Equal(["Sqs__AccessKey", "Sqs__SecretKey", "Sqs__SessionToken"], server.Environment!.Keys.Order());
        Assert.All(server.Environment.Values, Assert.Empty);
        Assert.Equal("eu-west-1", Settings(server)["Sqs:Region"]);
    }

    [Fact]
    public void The_run_itself_calls_the_same_queue_as_its_server()
    {
        Assert.Equal(LocalSqs, AddressOf(QueueTarget.Embedded));
        Assert.Equal(Endpoint.Address, AddressOf(Endpoint));
    }

    [Fact]
    public void The_record_has_the_settings_that_the_server_is_given()
    {
        foreach (var target in new QueueTarget[] { QueueTarget.Embedded, Aws })
        {
            var given = Settings(target.Server("fresh for each block", LocalSqs));
            Assert.All(target.ServerSettings.Where(one => one.Value != "masked"), one => Assert.Equal(one.Value, given[one.Name]));
        }
    }

    [Theory]
    [InlineData(SqsClientKind.AwsSdk)]
    [InlineData(SqsClientKind.Http)]
    public void The_client_is_the_one_that_was_chosen_for_every_queue(SqsClientKind client)
    {
        foreach (var target in new[] { QueueTarget.Embedded, Endpoint, Aws })
            Assert.Equal($"{client}", Settings((target with { SqsClient = client }).Server("q", LocalSqs))["Sqs:Client"]);
    }

    [Fact]
    public void Every_queue_has_the_same_client_by_default() =>
        Assert.All([QueueTarget.Embedded, Endpoint, Aws], target => Assert.Equal(new SqsOptions().Client, target.SqsClient));

    [Fact]
    public void Only_the_counts_of_AWS_are_not_believed_at_once()
    {
        Assert.Equal((DrainLooks.Near, DrainLooks.Near, DrainLooks.Aws), (QueueTarget.Embedded.Looks, Endpoint.Looks, Aws.Looks));
        Assert.True(Aws.Looks.Shortest > TimeSpan.FromMinutes(1));
    }

    [Fact]
    public void A_server_that_uses_AWS_is_refused_unless_the_user_said_so()
    {
        var refused = Assert.Throws<RefusalException>(() => QueuePreflight.CheckServer(Elsewhere, OnAws, QueueTarget.Embedded));

        Assert.Equal(
            "The server at http://10.0.0.1:5000/ uses Amazon SQS (sqs.eu-west-1.amazonaws.com), which costs money: use --sqs aws and "
                + "--region; the run first shows the cost.",
            refused.Message);
        QueuePreflight.CheckServer(Elsewhere, OnAws, new AwsTarget("eu-west-1"));
    }

    [Theory]
    [InlineData("""{"server":"direct","queue":null}""")]
    [InlineData("""{"server":"pubsub","queue":{"name":"q","url":"http://127.0.0.1:9324/000000000000/q"}}""")]
    public void Any_other_server_may_be_measured(string stats) => QueuePreflight.CheckServer(Elsewhere, stats, QueueTarget.Embedded);

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

    private static string? EndpointSeenBy(QueueTarget target) => Settings(target.Server("q", LocalSqs))["Sqs:Endpoint"];

    private static Uri AddressOf(QueueTarget target)
    {
        using var client = target.Connect(LocalSqs, new FakeTime());
        return client.Endpoint;
    }

    /// <summary>As ASP.NET reads them, with an environment that was made for another server.</summary>
    private static IConfigurationRoot Settings(ChildCommand server) => new ConfigurationBuilder()
        .AddInMemoryCollection(new Dictionary<string, string?> { ["Sqs:Endpoint"] = "http://elsewhere", ["Sqs:Region"] = "us-east-1" })
        .AddCommandLine([.. server.Arguments, "--urls", "http://127.0.0.1:0", "--child"])
        .Build();
}
