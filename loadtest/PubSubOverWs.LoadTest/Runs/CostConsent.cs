using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Costs;
using PubSubOverWs.LoadTest.Targets.Sqs;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>Nobody pays for a run without having said so.</summary>
public static class CostConsent
{
    public const string Option = "--yes-this-costs-money";

    /// <exception cref="RefusalException">The run uses AWS, and the user has not said that it may cost.</exception>
    public static void Check(RunJob job)
    {
        if (job is { Request: { Queue: AwsTarget aws, MayCostMoney: false, DryRun: false }, Turns.Count: > 0 }
            && QueueBills.Expect(job) is { } bill)
        {
            throw new RefusalException(ExitCode.BadUsage,
                $"{aws.Name} costs money, here about {BillText.Expected(bill)}: say {Option} if that may be spent, or --dry-run to see "
                    + "the whole plan.");
        }
    }
}
