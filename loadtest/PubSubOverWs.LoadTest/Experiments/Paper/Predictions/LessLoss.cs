namespace PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

/// <summary>
/// H1b under a fault: whether pubsub loses less than direct, by a permutation of blocks, since such losses are clustered.
/// </summary>
/// <param name="Word">The decision.</param>
/// <param name="Text">The same with figures, as a predicate of H1b such as <c>is not testable: ...</c>.</param>
public sealed record LessLoss(LessLossWord Word, string Text)
{
    /// <summary>Of the permutation, not corrected for the number of runs in a list. Null: not tested.</summary>
    public double? P { get; init; }

    public static LessLoss Of(FaultEvidence evidence)
    {
        if (evidence.Obstacle is { } obstacle)
            return NotTestable(obstacle);
        if (evidence.Find(Relays.Direct) is not { } direct || evidence.Find(Relays.PubSub) is not { } pubsub)
            return NotTestable("an arm was not run");
        if (direct.Buckets.Lost + pubsub.Buckets.Lost == 0)
            return NotTestable("nothing was lost in either arm");
        var losses = Losses.Of(direct, pubsub);
        if ((evidence.TooSmall ?? (losses.Test is null ? losses.Text : null)) is { } small)
            return new(LessLossWord.NotJudged, $"is {Verdict.TooSmall}: {small}");
        if (direct.HasWindows || pubsub.HasWindows)
        {
            var windows = ExpectedOutage.AlikeIn(Relays.Direct, Relays.PubSub).Judge(evidence);
            if (windows.Word != ExpectationWord.AsPredicted)
                return NotTestable($"the arms did not have the same fault, or this is not known ({windows.Found})");
        }

        return Of(losses, losses.Text) with { P = losses.P };
    }

    /// <summary>The decision at the corrected p of a family of tests: equivalence stays, but a direction may no longer be shown.</summary>
    /// <param name="p">After the correction.</param>
    public LessLossWord WordAt(double p) =>
        Word is LessLossWord.Holds or LessLossWord.Reversed && p >= Decision.Alpha ? LessLossWord.NotShown : Word;

    /// <summary>For a list of runs.</summary>
    public ListedTest ForList() => new("Pubsub loses less (H1b)", P, p => Kebab.Of(WordAt(p)).Replace('-', ' '))
    {
        Untested = Word == LessLossWord.NotJudged ? Verdict.TooSmall : "not testable",
    };

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

    /// <summary>The difference is shown to be below <see cref="Losses.Margin"/>, whatever its p.</summary>
    Alike,

    /// <summary>The losses do not differ significantly.</summary>
    NotShown,

    /// <summary>Pubsub lost significantly more.</summary>
    Reversed,

    /// <summary>The run is too small.</summary>
    NotJudged,

    NotTestable,
}
