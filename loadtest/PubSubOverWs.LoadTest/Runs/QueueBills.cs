using PubSubOverWs.Experiment.Costs;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Targets.Sqs;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What the requests of a job to SQS should cost: counted before anything is started, from the plan alone.</summary>
public static class QueueBills
{
    /// <summary>Dollars for a million requests in us-east-1, as Amazon had it in 2026.</summary>
    public const decimal DefaultPrice = 0.40m;

    /// <summary>Around a payload: ids, destination, the names in the JSON. More than it is, so that the bill is not too small.</summary>
    private const int EnvelopeBytes = 1024;

    /// <summary>For each server, to make queues and topics, to ask until it is ready, and to delete them.</summary>
    private const int CallsPerServerAndBlock = 30;

    /// <summary>How often a node tells the others of all its subscriptions, as its own default has it.</summary>
    public static readonly TimeSpan AnnounceEvery = TimeSpan.FromSeconds(2);

    /// <summary>The time a run takes is a guess: it may be half or twice as long.</summary>
    private const int GuessFactor = 2;

    /// <summary>Null: nothing is to be paid, and nobody asked what it would cost.</summary>
    public static QueueBill? Expect(RunJob job)
    {
        if (!job.Scenario.Runs(Arms.PubSub) || (job.Request.PricePerMillion is null && job.Request.Queue is not AwsTarget))
            return null;
        var time = job.Expected;
        return new QueueBill
        {
            PricePerMillion = job.Request.PricePerMillion ?? DefaultPrice,
            ExpectedAtLeast = Requests(job, SqsLimits.MaxBatchEntries, time / GuessFactor, looksPerProof: job.Request.Queue.Looks.InARow),
            ExpectedAtMost = Requests(job, perCall: 1, time * GuessFactor, looksPerProof: GuessFactor * job.Request.Queue.Looks.InARow)
                + Changes(job)
                + CallsPerServerAndBlock * job.Scenario.PubSubNodes * job.BlockCount,
        };
    }

    /// <summary>Requests that the recorded part of the job made; null: not known, and so it stays, for a part of a bill is none.</summary>
    public static long? MadeBefore(RunJob job) => job.Recorded.Count > 0 ? job.Before?.Bill?.Made : 0;

    private static long Requests(RunJob job, int perCall, TimeSpan time, int looksPerProof)
    {
        var trials = PubSub(job);
        var nodes = job.Scenario.PubSubNodes;
        var bytes = job.Scenario.PayloadBytes + EnvelopeBytes;
        return trials.Sum(trial => QueueRequests.ToMove(job.Scenario.Sends(trial.Level), bytes, perCall))
            // Each look at the queues and the parked one, and one at their dead letters.
            + trials.Count * ((long)looksPerProof * (nodes == 1 ? 2 : nodes + 2) + 1)
            // Of several each reads a queue of its own and the shared one.
            + QueueRequests.WhileNothingComes(time, AwsTarget.PollLoops * (nodes == 1 ? 1 : 2 * nodes), job.Request.Queue.WaitTime)
            + (nodes == 1 ? 0 : QueueRequests.ToKnowEachOther(time, nodes, AnnounceEvery, perCall));
    }

    /// <summary>At most one announcement for each subscription, and one for its end; they are gathered.</summary>
    private static long Changes(RunJob job)
    {
        var (nodes, changes) = (job.Scenario.PubSubNodes, PubSub(job).Sum(trial => 2L * job.Scenario.UsersAt(trial.Level)));
        return nodes == 1 ? 0 : changes * nodes + QueueRequests.ToHear(changes, nodes, perCall: 1);
    }

    private static List<Trial> PubSub(RunJob job) => [.. job.Turns.Where(trial => trial.Arm.HasQueue)];
}
