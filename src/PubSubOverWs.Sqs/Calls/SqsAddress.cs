using Amazon;
using Amazon.Runtime;

namespace PubSubOverWs.Sqs;

/// <summary>Where calls go and the region that is signed for.</summary>
internal sealed record SqsAddress(Uri Endpoint, string Region)
{
    /// <summary>Signed for when an endpoint is configured and no region is: servers that stand in for SQS take any.</summary>
    private const string AnyRegion = "us-east-1";

    /// <exception cref="SqsException"><see cref="SqsErrorCode.NoRegion"/>, or the endpoint is no address.</exception>
    public static SqsAddress Of(SqsOptions options)
    {
        var region = string.IsNullOrEmpty(options.Region) ? null : options.Region;
        if (!string.IsNullOrEmpty(options.Endpoint))
            return new SqsAddress(Parse(options.Endpoint), region ?? FallbackRegionFactory.GetRegionEndpoint(false)?.SystemName ?? AnyRegion);

        EndpointOfAwsSettings.RefuseToPassBy();
        var found = region is null ? FallbackRegionFactory.GetRegionEndpoint() : RegionEndpoint.GetBySystemName(region);
        if (found is null)
        {
            throw new SqsException(
                SqsErrorCode.NoRegion, "No AWS region was found: set Sqs:Region or AWS_REGION, or Sqs:Endpoint for another queue server.", isRetryable: false);
        }
        return new SqsAddress(new Uri($"https://sqs.{found.SystemName}.{found.PartitionDnsSuffix}/"), found.SystemName);
    }

    private static Uri Parse(string endpoint) =>
        Uri.TryCreate(endpoint, UriKind.Absolute, out var uri) && uri is { Scheme: "http" or "https" } && uri.Query.Length == 0
            ? uri
            : throw new SqsException(
                SqsErrorCode.Unreachable, $"Sqs:Endpoint '{endpoint}' is not the URL of a queue server: write it like http://127.0.0.1:9324.", isRetryable: false);
}
