using Microsoft.Extensions.Configuration;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

public sealed class QueueTargetTests
{
    private static readonly Uri LocalSqs = new("http://127.0.0.1:40001/");
    private static readonly EndpointTarget Endpoint = new(new Uri("http://10.0.0.1:4566/"));
    private static readonly AwsTarget Aws = new("eu-west-1");

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
