using System.Globalization;
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

    /// <summary>
    /// Adds the headers <c>X-Amz-Date</c>, <c>Authorization</c> and, for temporary credentials, <c>X-Amz-Security-Token</c>; signs every
    /// header.
    /// </summary>
    internal void Sign(HttpRequestMessage request, string body, string service = "sqs", TimeSpan clockError = default)
    {
        var now = TimeProvider.System.GetUtcNow() + clockError;
        request.Headers.Add("X-Amz-Date", now.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture));
        if (SessionToken is { } token)
            request.Headers.Add("X-Amz-Security-Token", token);

        var headers = new SortedDictionary<string, string>(StringComparer.Ordinal) { ["host"] = request.RequestUri!.Authority };
        foreach (var (name, values) in request.Headers.Concat(request.Content!.Headers))
            headers.Add(
                name.ToLowerInvariant(), string.Join(' ', string.Join(",", values).Split(' ', StringSplitOptions.RemoveEmptyEntries)));
        request.Headers.TryAddWithoutValidation(
            "Authorization",
            SigV4.Authorize(
                request.RequestUri, headers, body, string.Join(';', headers.Keys), AccessKey, SecretKey, Region, service));
    }

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
