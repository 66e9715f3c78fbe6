using PubSubOverWs.Experiment.Costs;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What the requests of a job to SQS should cost: counted before anything is started, from the plan alone.</summary>
public static class QueueBills
{
    /// <summary>Dollars for a million requests in us-east-1, as Amazon had it in 2026.</summary>
    public const decimal DefaultPrice = 0.40m;

    /// <summary>Around a payload: ids, destination, the names in the JSON. More than it is, so that the bill is not too small.</summary>
    private const int EnvelopeBytes = 1024;

    /// <summary>To make both queues, to ask until the server is ready, and to delete them.</summary>
    private const int CallsPerBlock = 30;

    /// <summary>The time a run takes is a guess: it may be half or twice as long.</summary>
    private const int GuessFactor = 2;

    /// <summary>Null: nothing is to be paid, and nobody asked what it would cost.</summary>
    public static QueueBill? Expect(RunJob job)
    {
        if (!job.Scenario.Arms.Contains(Arms.PubSub) || (job.Request.PricePerMillion is null && job.Request.Queue is not AwsTarget))
            return null;
        var time = job.Expected;
        return new QueueBill
        {
            PricePerMillion = job.Request.PricePerMillion ?? DefaultPrice,
            ExpectedAtLeast = Requests(job, SqsLimits.MaxBatchEntries, time / GuessFactor, looksPerProof: job.Request.Queue.Looks.InARow),
            ExpectedAtMost = Requests(job, perCall: 1, time * GuessFactor, looksPerProof: GuessFactor * job.Request.Queue.Looks.InARow)
                + CallsPerBlock * job.BlockCount,
        };
    }

    private static long Requests(RunJob job, int perCall, TimeSpan time, int looksPerProof)
    {
        var turns = job.Turns.Where(turn => turn.Arm == Arms.PubSub).ToList();
        var bytes = job.Scenario.PayloadBytes + EnvelopeBytes;
        return turns.Sum(turn => QueueRequests.ToMove(turn.Users, bytes, perCall))
            // Each look at the queue, and one at its dead letters.
            + turns.Count * (looksPerProof + 1L)
            + QueueRequests.WhileNothingComes(time, AwsTarget.PollLoops, job.Request.Queue.WaitTime);
    }
}
