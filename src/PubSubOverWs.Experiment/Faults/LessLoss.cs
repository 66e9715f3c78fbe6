using System.Globalization;
using PubSubOverWs.Experiment.Faults.Expectations;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Statistics;
using PubSubOverWs.Experiment.Verdicts;

namespace PubSubOverWs.Experiment.Faults;

/// <summary>Whether pubsub loses less than the direct server where something breaks: H1b, by a permutation of iterations, for losses of a fault come together.</summary>
/// <param name="Word">What was decided.</param>
/// <param name="Text">The same with its figures.</param>
public sealed record LessLoss(LessLossWord Word, string Text)
{
    public static LessLoss Of(FaultEvidence evidence)
    {
        if (!evidence.IsValid)
            return new(LessLossWord.NotTestable, "not testable: the run is invalid");
        if (evidence.Find(Arms.Direct) is not { } direct || evidence.Find(Arms.PubSub) is not { } pubsub)
            return new(LessLossWord.NotTestable, "not testable: an arm was not run");
        if (direct.Buckets.Lost + pubsub.Buckets.Lost == 0)
            return new(LessLossWord.NotTestable, "not testable: nothing was lost in either arm");
        if (PermutationTest.Test(direct.LossRates, pubsub.LossRates) is not { P: var p })
            return new(LessLossWord.NotTestable, "not testable: n is below 2, or every iteration lost the same");
        var found = string.Create(CultureInfo.InvariantCulture, $"permutation of {direct.LossRates.Count} and {pubsub.LossRates.Count} iterations, p = {p:0.0000}");
        return p >= Decision.Alpha ? new(LessLossWord.NotShown, $"not shown: the losses do not differ significantly ({found})")
            : pubsub.LossRates.Average() < direct.LossRates.Average() ? new(LessLossWord.Holds, $"holds: pubsub lost less ({found})")
            : new(LessLossWord.Reversed, $"does not hold: pubsub lost more ({found})");
    }
}
