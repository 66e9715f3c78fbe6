namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>Tells addresses of Amazon SQS from those of servers that stand in for it.</summary>
public static class AwsHost
{
    private static readonly string[] Domains = ["amazonaws.com", "amazonaws.com.cn", "amazonaws.eu", "api.aws",
        "api.amazonwebservices.com.cn"];

    // The last is of the first years of SQS, and still answers.
    private static readonly string[] Services = ["sqs", "sqs-fips", "queue"];

    /// <summary>
    /// True: an endpoint of SQS (regional, dual-stack, FIPS, VPC). Not everything at AWS is: a LocalStack on a machine there is not.
    /// </summary>
    public static bool IsSqs(Uri address)
    {
        var host = address.IdnHost.TrimEnd('.').ToLowerInvariant();
        return Array.Exists(Domains, domain => host.EndsWith("." + domain, StringComparison.Ordinal))
            && host.Split('.').Intersect(Services).Any();
    }
}
