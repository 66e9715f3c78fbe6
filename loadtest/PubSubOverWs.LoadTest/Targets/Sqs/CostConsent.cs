using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Costs;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>Nobody pays for a run without having said so.</summary>
public static class CostConsent
{
    public const string Option = "--yes-this-costs-money";

    /// <summary>The option without a queue that costs anything.</summary>
    public static void CheckUse(QueueTarget queue, bool mayCostMoney)
    {
        if (mayCostMoney && queue is not AwsTarget)
            throw new RefusalException(
                ExitCode.BadUsage, $"{Option} is of no use without --sqs aws: leave it away, for nothing else costs money.");
    }

    /// <param name="queue">That is used.</param>
    /// <param name="bill">What it should cost; null: nothing.</param>
    /// <param name="mayCostMoney">The user has said that it may.</param>
    /// <exception cref="RefusalException">It is AWS's, and the user has not.</exception>
    public static void Check(QueueTarget queue, QueueBill? bill, bool mayCostMoney)
    {
        if (queue is AwsTarget aws && bill is not null && !mayCostMoney)
            throw new RefusalException(ExitCode.BadUsage,
                $"{aws.Name} costs money, here about {BillText.Expected(bill)}: say {Option} if that may be spent, or --dry-run to see "
                    + "the whole plan.");
    }
}
