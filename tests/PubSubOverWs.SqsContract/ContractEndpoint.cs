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
    /// <summary>For a client of this endpoint. It makes each call once: what a retry would mend shall be seen.</summary>
    public SqsOptions ClientOptions => new()
    {
        Endpoint = Address.ToString(),
        Region = Region,
        AccessKey = AccessKey,
        SecretKey = SecretKey,
        SessionToken = SessionToken,
        MaxAttempts = 1,
        RequestTimeout = TimeSpan.FromSeconds(30),
    };
}
