using System.Globalization;
using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Reports;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Experiments.Predictions;

/// <summary>
/// Whether pubsub loses less than the direct server where something breaks: H1b, by a permutation of iterations, for losses of a fault come
/// together.
/// </summary>
/// <param name="Word">What was decided.</param>
/// <param name="Text">The same with its figures, as what H1b does: it holds, or is not testable.</param>
public sealed record LessLoss(LessLossWord Word, string Text)
{
    /// <summary>
    /// Of the permutation, of this run alone; a table of runs corrects it for how many there are. Null: nothing was tested.
    /// </summary>
    public double? P { get; init; }

    public static LessLoss Of(FaultEvidence evidence)
    {
        if (evidence.Obstacle is { } obstacle)
            return NotTestable(obstacle);
        if (evidence.Find(Arms.Direct) is not { } direct || evidence.Find(Arms.PubSub) is not { } pubsub)
            return NotTestable("an arm was not run");
        if (direct.Buckets.Lost + pubsub.Buckets.Lost == 0)
            return NotTestable("nothing was lost in either arm");
        if (direct.HasWindows || pubsub.HasWindows)
        {
            var windows = ExpectedOutage.AlikeIn(Arms.Direct, Arms.PubSub).Judge(evidence);
            if (windows.Word != ExpectationWord.AsPredicted)
                return NotTestable($"the arms did not suffer the same fault, or it is not known ({windows.Found})");
        }

        var losses = Losses.Of(direct, pubsub);
        if (losses.Test is not { } test)
            return NotTestable(losses.Text);
        var found = string.Create(
            CultureInfo.InvariantCulture,
            $"permutation of {direct.LossRates.Count} and {pubsub.LossRates.Count} iterations, {PText.Equation(test)}");
        return Of(losses, $"{found}; {losses.Difference}") with { P = test.P };
    }

    /// <summary>The same with another p, that of a family of tests: what is alike stays so, and only a direction can be lost.</summary>
    /// <param name="p">After the correction.</param>
    public LessLossWord WordAt(double p) =>
        Word is LessLossWord.Holds or LessLossWord.Reversed && p >= Decision.Alpha ? LessLossWord.NotShown : Word;

    /// <summary>As a list of runs tells it.</summary>
    public ListedTest ForList() => new("Pubsub loses less (H1b)", P, p => Kebab.Of(WordAt(p)).Replace('-', ' '));

    private static LessLoss Of(Losses losses, string found) =>
        losses.AreAlike ? new(LessLossWord.Alike, $"does not hold: both lose alike, within a percentage point ({found})")
        : losses.SecondIsLess ? new(LessLossWord.Holds, $"holds: pubsub lost less ({found})")
        : losses.SecondIsMore ? new(LessLossWord.Reversed, $"does not hold: pubsub lost more ({found})")
        : new(LessLossWord.NotShown, $"is not shown: the losses do not differ significantly ({found})");

    private static LessLoss NotTestable(string why) => new(LessLossWord.NotTestable, $"is not testable: {why}");
}

/// <summary>Whether H1b holds under a fault.</summary>
public enum LessLossWord
{
    /// <summary>Pubsub lost significantly less.</summary>
    Holds,

    /// <summary>Shown to differ by less than <see cref="Losses.Margin"/>, however small the p of that difference.</summary>
    Alike,

    /// <summary>The losses do not differ significantly.</summary>
    NotShown,

    /// <summary>Pubsub lost significantly more.</summary>
    Reversed,

    NotTestable,
}
