using Amazon;
using Amazon.Runtime;
using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>The endpoint of calls, and the region that they are signed for.</summary>
/// <param name="Endpoint">As configured, for both services, or of AWS in the region.</param>
/// <param name="Region">Such as <c>eu-central-1</c>.</param>
/// <param name="Service">The service that is called.</param>
/// <param name="IsAws">No endpoint is configured: it follows from the region.</param>
internal sealed record SqsAddress(Uri Endpoint, string Region, AwsService Service, bool IsAws = false)
{
    /// <summary>The region when an endpoint is configured and no region is: servers that stand in for SQS accept any.</summary>
    private const string AnyRegion = "us-east-1";

    /// <exception cref="QueueException">
    /// <see cref="SqsErrorCode.NoRegion"/>, <see cref="SqsErrorCode.EndpointElsewhere"/>, or the endpoint is not an address.
    /// </exception>
    public static SqsAddress From(SqsOptions options, AwsService service)
    {
        var region = string.IsNullOrEmpty(options.Region) ? null : options.Region;
        if (!string.IsNullOrEmpty(options.Endpoint))
            return new SqsAddress(
                EndpointOf(options, service), region ?? FallbackRegionFactory.GetRegionEndpoint(false)?.SystemName ?? AnyRegion,
                service);

        EndpointOfAwsSettings.RefuseToPassBy(service);
        var found = region is null ? FallbackRegionFactory.GetRegionEndpoint() : RegionEndpoint.GetBySystemName(region);
        if (found is null)
        {
            throw new QueueException(
                SqsErrorCode.NoRegion, "No AWS region was found: set Sqs:Region or AWS_REGION, or Sqs:Endpoint for another queue server.",
                isRetryable: false);
        }
        return new SqsAddress(
            new Uri($"https://{service.Id}.{found.SystemName}.{found.PartitionDnsSuffix}/"), found.SystemName, service, IsAws: true);
    }

    private static Uri EndpointOf(SqsOptions options, AwsService service) =>
        service == AwsService.Sns && !string.IsNullOrEmpty(options.SnsEndpoint)
            ? Parse(options.SnsEndpoint, nameof(options.SnsEndpoint))
            : Parse(options.Endpoint!, nameof(options.Endpoint));

    private static Uri Parse(string endpoint, string setting)
    {
        if (Uri.TryCreate(endpoint, UriKind.Absolute, out var uri)
            && uri is { Scheme: "http" or "https", Query.Length: 0, UserInfo.Length: 0 })
            return uri;
        // A possible secret is not repeated: the message appears in logs and in /health/ready.
        throw new QueueException(
            SqsErrorCode.Unreachable,
            endpoint.AsSpan().ContainsAny('@', '?')
                ? $"Sqs:{setting} has a user, a password or a query in it, which is not repeated here: write the address alone, like "
                    + "http://127.0.0.1:9324, and keys as Sqs:AccessKey and Sqs:SecretKey."
                : $"Sqs:{setting} '{endpoint}' is not the URL of a queue server: write it like http://127.0.0.1:9324.",
            isRetryable: false);
    }
}

/// <summary>The differences between the two services that we call: their names and protocols.</summary>
/// <param name="Id">In the host name of AWS and in the scope of a signature.</param>
/// <param name="Name">The name that users know.</param>
/// <param name="Subject">The subject of error messages, such as "The queue".</param>
/// <param name="ContentType">Of requests, exactly as it is signed.</param>
/// <param name="HasTarget">
/// The operation is in the header <c>X-Amz-Target</c>, and <c>x-amzn-query-mode</c> asks for the older error codes beside the new ones.
/// False: it is in the body, as <c>Action</c>, and answers are XML.
/// </param>
internal sealed record AwsService(string Id, string Name, string Subject, string ContentType, bool HasTarget)
{
    /// <summary>AWS JSON 1.0.</summary>
    public static readonly AwsService Sqs = new("sqs", "SQS", "The queue", "application/x-amz-json-1.0", HasTarget: true);

    /// <summary>AWS Query: a form in, XML out.</summary>
    public static readonly AwsService Sns = new("sns", "SNS", "SNS", "application/x-www-form-urlencoded", HasTarget: false);
}
