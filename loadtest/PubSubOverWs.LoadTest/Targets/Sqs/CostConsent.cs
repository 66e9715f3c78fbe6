using PubSubOverWs.Experiment.Costs;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>A run that costs money needs the consent of the user.</summary>
public static class CostConsent
{
    public const string Option = "--yes-this-costs-money";

    /// <summary>The option without a queue that costs anything.</summary>
    public static void CheckUse(QueueTarget queue, bool mayCostMoney)
    {
        if (mayCostMoney && queue is not AwsTarget)
            throw new RefusalException(
                $"{Option} has no effect without --sqs aws: omit it, for nothing else costs money.");
    }

    /// <param name="queue">That is used.</param>
    /// <param name="bill">What it should cost; null: nothing.</param>
    /// <param name="mayCostMoney">The user has said that it may.</param>
    /// <exception cref="RefusalException">It is AWS's, and the user has not.</exception>
    public static void Check(QueueTarget queue, QueueBill? bill, bool mayCostMoney)
    {
        if (queue is AwsTarget aws && bill is not null && !mayCostMoney)
            throw new RefusalException(
                $"{aws.Name} costs money, here about {BillText.Expected(bill)}: use {Option} if that may be spent, or --dry-run to see "
                    + "the whole plan.");
    }
}

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
