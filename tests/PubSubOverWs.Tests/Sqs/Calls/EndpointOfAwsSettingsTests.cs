using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

/// <summary>
/// AWS's own ways to name another endpoint. The environment is shared by the whole process, so nothing runs beside these.
/// </summary>
[Collection(nameof(SharedEnvironment))]
public sealed class EndpointOfAwsSettingsTests : IDisposable
{
    private const string Elsewhere = "http://localhost:4566";

    private static readonly string[] Names =
        ["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_SQS", "AWS_ENDPOINT_URL_SNS", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "AWS_PROFILE",
            "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"];

    private readonly string?[] _before = [.. Names.Select(Environment.GetEnvironmentVariable)];
    private readonly string _config = Path.GetTempFileName();

    public EndpointOfAwsSettingsTests()
    {
        foreach (var name in Names)
            Environment.SetEnvironmentVariable(name, null);
        Environment.SetEnvironmentVariable("AWS_CONFIG_FILE", _config);
        Environment.SetEnvironmentVariable("AWS_SHARED_CREDENTIALS_FILE", _config + ".none");
    }

    [Fact]
    public void Without_AWS_endpoint_settings_calls_go_to_AWS() =>
        Assert.Equal("https://sqs.eu-west-1.amazonaws.com/", AddressOf(endpoint: ""));

    [Theory]
    [InlineData("AWS_ENDPOINT_URL")]
    [InlineData("AWS_ENDPOINT_URL_SQS")]
    public void A_variable_that_names_another_server_is_refused(string variable)
    {
        Environment.SetEnvironmentVariable(variable, Elsewhere);

        Assert.Equal(
            $"No endpoint is set, so the queue is on AWS, but {variable} is '{Elsewhere}': name it in Sqs:Endpoint (of the load "
                + "runner: --sqs-endpoint), or remove it to use AWS.",
            Refused());
    }

    [Fact]
    public void An_endpoint_that_may_hold_a_secret_is_named_by_its_variable_alone()
    {
        Environment.SetEnvironmentVariable("AWS_ENDPOINT_URL", "http://key:word@localhost:4566");

        Assert.StartsWith(
            "No endpoint is set, so the queue is on AWS, but AWS_ENDPOINT_URL is an address that may hold a secret, and is not "
                + "repeated here: ", Refused(), StringComparison.Ordinal);
    }

    [Fact]
    public void Each_service_has_a_variable_of_its_own()
    {
        Environment.SetEnvironmentVariable("AWS_ENDPOINT_URL_SNS", Elsewhere);

        Assert.Equal("https://sqs.eu-west-1.amazonaws.com/", AddressOf(endpoint: ""));
        var failure = Assert.Throws<QueueException>(() => new SnsOverHttp(new SqsOptions { Region = "eu-west-1" }, new FakeTime()));
        Assert.Equal(SqsErrorCode.EndpointElsewhere, failure.Code);
    }

    [Theory]
    [InlineData("default", null, "[default]\nendpoint_url = http://localhost:4566\n")]
    [InlineData("work", "work", "[default]\nregion = us-east-1\n[profile work]\nendpoint_url = http://localhost:4566\n")]
    [InlineData(
        "default", null,
        "[default]\nservices = mine\n[services mine]\ns3 =\n  endpoint_url = http://other\nsqs =\n  endpoint_url = "
            + "http://localhost:4566\n")]
    public void A_profile_that_names_another_server_is_refused(string name, string? chosen, string config)
    {
        File.WriteAllText(_config, config);
        Environment.SetEnvironmentVariable("AWS_PROFILE", chosen);

        Assert.StartsWith(
            $"No endpoint is set, so the queue is on AWS, but endpoint_url of the AWS profile '{name}' is '{Elsewhere}'",
            Refused());
    }

    [Theory]
    [InlineData("[default]\nservices = mine\n[services mine]\ns3 =\n  endpoint_url = http://other\n")]
    [InlineData("[default]\nignore_configured_endpoint_urls = true\nendpoint_url = http://localhost:4566\n")]
    [InlineData("[profile work]\nendpoint_url = http://localhost:4566\n")]
    public void A_profile_that_names_no_other_server_is_ignored(string config)
    {
        File.WriteAllText(_config, config);

        Assert.StartsWith("https://sqs.eu-west-1.amazonaws.com", AddressOf(endpoint: ""));
    }

    [Fact]
    public void Endpoint_settings_are_ignored_if_AWS_is_told_to_ignore_them()
    {
        Environment.SetEnvironmentVariable("AWS_ENDPOINT_URL", Elsewhere);
        Environment.SetEnvironmentVariable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true");

        Assert.StartsWith("https://sqs.eu-west-1.amazonaws.com", AddressOf(endpoint: ""));
    }

    [Fact]
    public void An_endpoint_of_ours_takes_precedence_over_all_AWS_endpoint_settings()
    {
        Environment.SetEnvironmentVariable("AWS_ENDPOINT_URL", Elsewhere);

        Assert.Equal("http://127.0.0.1:9324/", AddressOf("http://127.0.0.1:9324"));
    }

    public void Dispose()
    {
        foreach (var (name, value) in Names.Zip(_before))
            Environment.SetEnvironmentVariable(name, value);
        File.Delete(_config);
    }

    private static string AddressOf(string endpoint)
    {
        using var client = new SqsOverHttp(new SqsOptions { Endpoint = endpoint, Region = "eu-west-1" }, new FakeTime());
        return client.Endpoint.ToString();
    }

    private static string Refused()
    {
        var refused = Assert.Throws<QueueException>(() => AddressOf(endpoint: ""));
        Assert.Equal(SqsErrorCode.EndpointElsewhere, refused.Code);
        return refused.Message;
    }
}
