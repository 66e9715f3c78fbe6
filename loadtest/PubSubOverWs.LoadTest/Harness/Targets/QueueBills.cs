using PubSubOverWs.Queues;
using PubSubOverWs.Report.Costs;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>The expected cost of a run's requests to SQS, from its plan alone.</summary>
/// <param name="trials">All trials still to run, of arms with the queue.</param>
public sealed class QueueBills(Scenario scenario, QueueTarget queue, IReadOnlyList<Trial> trials)
{
    /// <summary>Dollars for a million requests in us-east-1 in 2026.</summary>
    public const decimal DefaultPrice = 0.40m;

    /// <summary>Added to a payload for ids, destination and JSON names: more than in reality, so that the bill is not too small.</summary>
    private const int EnvelopeBytes = 1024;

    /// <summary>Calls of each server to create queues and topics, to poll until they are ready, and to delete them.</summary>
    private const int CallsPerServerAndBlock = 30;

    /// <summary>How often a node announces all its subscriptions to the others: its default.</summary>
    public static readonly TimeSpan AnnounceEvery = TimeSpan.FromSeconds(2);

    /// <summary>A run may take half or twice the estimated time.</summary>
    private const int GuessFactor = 2;

    private readonly int _nodes = trials.Select(trial => scenario.SetUp(trial.Arm).Servers).DefaultIfEmpty(1).Max();

    /// <param name="pricePerMillion">Dollars for a million requests; null: not given.</param>
    /// <param name="time">The expected duration of the run.</param>
    /// <returns>Null: it is free, and no price was given.</returns>
    public QueueBill? Expect(decimal? pricePerMillion, TimeSpan time) => pricePerMillion is null && queue is not AwsTarget ? null : new()
    {
        PricePerMillion = pricePerMillion ?? DefaultPrice,
        ExpectedAtLeast = Requests(
            [.. trials.Where(trial => !trial.IsOptional(scenario))], QueueLimits.MaxBatchEntries, Pack, time / GuessFactor,
            queue.Looks.InARow),
        ExpectedAtMost = Requests(trials, perCall: 1, _ => 1, time * GuessFactor, GuessFactor * queue.Looks.InARow)
            + Changes()
            + CallsPerServerAndBlock * _nodes * trials.Select(trial => trial.Block).Distinct().Count(),
    };

    private long Requests(IReadOnlyList<Trial> made, int perCall, Func<Trial, int> pack, TimeSpan time, int looksPerProof)
    {
        var bytes = scenario.PayloadBytes + EnvelopeBytes;
        return made.Sum(trial => QueueRequests.ToMove(Started(scenario.Sends(trial.Level), pack(trial)), bytes, perCall))
            // Each look asks for the queues and the parked one; each proof also for the dead letters.
            + made.Count * ((long)looksPerProof * (_nodes == 1 ? 2 : _nodes + 2) + 1)
            // Each of several nodes reads a queue of its own and the shared one.
            + QueueRequests.WhileNothingComes(time, AwsTarget.PollLoops * (_nodes == 1 ? 1 : 2 * _nodes), queue.WaitTime)
            + (_nodes == 1 ? 0 : QueueRequests.ToKnowEachOther(time, _nodes, AnnounceEvery, perCall));
    }

    // Publishes that may share an SQS message.
    private int Pack(Trial trial) =>
        scenario.SetUp(trial.Arm).Settings.TryGetValue(Relays.PackSetting, out var pack)
            ? int.Parse(pack, CultureInfo.InvariantCulture)
            : 1;

    private static long Started(long all, int unit) => (all + unit - 1) / unit;

    /// <summary>At most one announcement for each subscription and one for its end: they are batched.</summary>
    private long Changes()
    {
        var changes = trials.Sum(trial => 2L * scenario.UsersAt(trial.Level));
        return _nodes == 1 ? 0 : changes * _nodes + QueueRequests.ToHear(changes, _nodes, perCall: 1);
    }
}

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
