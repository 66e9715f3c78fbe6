using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Targets.Drain;

/// <summary>What the proof found, and the last counts it saw.</summary>
/// <param name="State">Proven also where there is no queue.</param>
/// <param name="Visible">Messages that a receive would get.</param>
/// <param name="InFlight">Received by the server, neither deleted nor visible again.</param>
/// <param name="Delayed">Not yet visible for the first time.</param>
/// <param name="Held">Of those in flight, what the server holds without a subscriber, as its /stats said.</param>
/// <param name="DeadLettered">New in the dead-letter queue since the last proof, or since the first count.</param>
/// <param name="Took">How long the proof took.</param>
public sealed record DrainResult(DrainState State, long Visible, long InFlight, long Delayed, long Held, long DeadLettered, TimeSpan Took)
{
    /// <summary>Of an arm without a queue.</summary>
    public static DrainResult NoQueue { get; } = new(DrainState.Proven, 0, 0, 0, 0, 0, TimeSpan.Zero);

    /// <summary>For the accounting. Held messages are in flight, so they are not counted twice.</summary>
    public QueueRemains Remains => new(Math.Max(Visible + InFlight + Delayed, Held), DeadLettered);

    /// <summary>For events.csv and for the user.</summary>
    public override string ToString() => State switch
    {
        DrainState.Proven => "drained",
        DrainState.NotProven => "not proven: the queue's counts could not be asked for",
        _ => $"not drained: {Visible} visible, {InFlight} in flight, {Delayed} delayed, {Held} held by the server",
    };
}
