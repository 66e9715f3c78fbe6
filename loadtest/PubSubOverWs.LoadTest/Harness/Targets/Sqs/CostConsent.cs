using PubSubOverWs.Report.Costs;

namespace PubSubOverWs.LoadTest.Harness.Targets.Sqs;

/// <summary>A run that costs money needs the consent of the user.</summary>
public static class CostConsent
{
    public const string Option = "--yes-this-costs-money";

    /// <summary>Refuses the option with a queue that costs nothing.</summary>
    public static void CheckUse(QueueTarget queue, bool mayCostMoney)
    {
        if (mayCostMoney && queue is not AwsTarget)
            throw new RefusalException(
                $"{Option} has no effect without --sqs aws: omit it, because nothing else costs money.");
    }

    /// <param name="bill">The expected cost; null: it is free.</param>
    /// <exception cref="RefusalException">The queue is AWS's, and the user has not agreed to the cost.</exception>
    public static void Check(QueueTarget queue, QueueBill? bill, bool mayCostMoney)
    {
        if (queue is AwsTarget aws && bill is not null && !mayCostMoney)
            throw new RefusalException(
                $"{aws.Name} costs money, here about {BillText.Expected(bill)}: use {Option} if that may be spent, or --dry-run to see "
                    + "the whole plan.");
    }
}

/// <summary>Recognizes addresses of Amazon SQS.</summary>
public static class AwsHost
{
    private static readonly string[] Domains = ["amazonaws.com", "amazonaws.com.cn", "amazonaws.eu", "api.aws",
        "api.amazonwebservices.com.cn"];

    // "queue" is from the first years of SQS, and still works.
    private static readonly string[] Services = ["sqs", "sqs-fips", "queue"];

    /// <summary>True for SQS endpoints: regional, dual-stack, FIPS, VPC. False for others at AWS, such as a LocalStack there.</summary>
    public static bool IsSqs(Uri address)
    {
        var host = address.IdnHost.TrimEnd('.').ToLowerInvariant();
        return Array.Exists(Domains, domain => host.EndsWith("." + domain, StringComparison.Ordinal))
            && host.Split('.').Intersect(Services).Any();
    }
}
