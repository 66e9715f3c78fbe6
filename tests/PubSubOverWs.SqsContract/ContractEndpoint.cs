using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>The address of an SQS endpoint and the credentials for it.</summary>
/// <param name="Address">Such as <c>http://127.0.0.1:9324</c>.</param>
/// <param name="Region">The region that calls are signed for.</param>
/// <param name="AccessKey">A key that the endpoint knows.</param>
/// <param name="SecretKey">Of that access key.</param>
/// <param name="SessionToken">Of temporary credentials; null: none.</param>
public sealed record ContractEndpoint(
    Uri Address, string Region = "us-east-1", string AccessKey = "test", string SecretKey = "test", string? SessionToken = null)
{
    /// <summary>The address of SNS: the same, except on AWS, where each service has its own host.</summary>
    public Uri TopicAddress => Address.Host.StartsWith("sqs.", StringComparison.Ordinal)
        ? new UriBuilder(Address) { Host = $"sns.{Address.Host["sqs.".Length..]}" }.Uri
        : Address;

    /// <summary>Options for a client of this endpoint. It makes each call once, so that retries hide no failure.</summary>
    public SqsOptions ClientOptions => OptionsFor(Address);

    /// <summary>The same for a client of SNS.</summary>
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
