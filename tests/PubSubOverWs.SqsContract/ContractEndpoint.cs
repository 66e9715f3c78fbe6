using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>Where an SQS endpoint is, and as whom to call it.</summary>
/// <param name="Address">Such as <c>http://127.0.0.1:9324</c>.</param>
/// <param name="Region">That calls are signed for.</param>
/// <param name="AccessKey">That the endpoint knows.</param>
/// <param name="SecretKey">Of that access key.</param>
/// <param name="SessionToken">Of temporary credentials; null: none.</param>
public sealed record ContractEndpoint(
    Uri Address, string Region = "us-east-1", string AccessKey = "test", string SecretKey = "test", string? SessionToken = null)
{
    /// <summary>Where SNS is: at the same address, but for AWS, where each service has a host of its own.</summary>
    public Uri TopicAddress => Address.Host.StartsWith("sqs.", StringComparison.Ordinal)
        ? new UriBuilder(Address) { Host = $"sns.{Address.Host["sqs.".Length..]}" }.Uri
        : Address;

    /// <summary>For a client of this endpoint. It makes each call once: what a retry would mend shall be seen.</summary>
    public SqsOptions ClientOptions => OptionsFor(Address);

    /// <summary>The same, for a client of SNS.</summary>
    public SqsOptions TopicOptions => OptionsFor(TopicAddress);

    private SqsOptions OptionsFor(Uri address) => new()
    {
        Endpoint = address.ToString(),
        Region = Region,
        AccessKey = AccessKey,
        SecretKey = SecretKey,
        SessionToken = SessionToken,
        MaxAttempts = 1,
        RequestTimeout = TimeSpan.FromSeconds(30),
    };
}
