using PubSubOverWs.Experiment.Costs;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>What the requests of a run to SQS should cost: counted before anything is started, from the plan alone.</summary>
/// <param name="scenario">What is run.</param>
/// <param name="queue">Where.</param>
/// <param name="trials">All that are still to run, of arms that have the queue.</param>
public sealed class QueueBills(Scenario scenario, QueueTarget queue, IReadOnlyList<Trial> trials)
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

    private readonly int _nodes = trials.Select(trial => scenario.SetUp(trial.Arm).Servers).DefaultIfEmpty(1).Max();

    /// <param name="pricePerMillion">Dollars for a million requests; null: not given.</param>
    /// <param name="time">How long it should take.</param>
    /// <returns>Null: it is free, and no price was given.</returns>
    public QueueBill? Expect(decimal? pricePerMillion, TimeSpan time) => pricePerMillion is null && queue is not AwsTarget ? null : new()
    {
        PricePerMillion = pricePerMillion ?? DefaultPrice,
        ExpectedAtLeast = Requests(SqsLimits.MaxBatchEntries, time / GuessFactor, queue.Looks.InARow),
        ExpectedAtMost = Requests(perCall: 1, time * GuessFactor, GuessFactor * queue.Looks.InARow)
            + Changes()
            + CallsPerServerAndBlock * _nodes * trials.Select(trial => trial.Block).Distinct().Count(),
    };

    private long Requests(int perCall, TimeSpan time, int looksPerProof)
    {
        var bytes = scenario.PayloadBytes + EnvelopeBytes;
        return trials.Sum(trial => QueueRequests.ToMove(scenario.Sends(trial.Level), bytes, perCall))
            // Each look at the queues and the parked one, and one at their dead letters.
            + trials.Count * ((long)looksPerProof * (_nodes == 1 ? 2 : _nodes + 2) + 1)
            // Of several each reads a queue of its own and the shared one.
            + QueueRequests.WhileNothingComes(time, AwsTarget.PollLoops * (_nodes == 1 ? 1 : 2 * _nodes), queue.WaitTime)
            + (_nodes == 1 ? 0 : QueueRequests.ToKnowEachOther(time, _nodes, AnnounceEvery, perCall));
    }

    /// <summary>At most one announcement for each subscription, and one for its end; they are gathered.</summary>
    private long Changes()
    {
        var changes = trials.Sum(trial => 2L * scenario.UsersAt(trial.Level));
        return _nodes == 1 ? 0 : changes * _nodes + QueueRequests.ToHear(changes, _nodes, perCall: 1);
    }
}
