namespace PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

/// <summary>
/// The losses of two arms at one level, compared by blocks: losses of a fault are clustered, so messages are not independent, and
/// iterations of one block share their servers.
/// </summary>
public sealed class Losses
{
    /// <summary>With fewer in an arm no permutation can be below 0.05: 2 of 20 arrangements of 3 and 3 are 0.1.</summary>
    public const int LeastBlocks = 4;

    /// <summary>Smaller differences of end-to-end loss count as none: one percentage point.</summary>
    public const double Margin = 0.01;

    private readonly Moments _first;
    private readonly Moments _second;
    private readonly string _difference;

    private Losses(ArmEvidence firstArm, ArmEvidence secondArm)
    {
        _difference = $"{secondArm.Arm} - {firstArm.Arm}";
        var first = firstArm.LostOfAttempted;
        var second = secondArm.LostOfAttempted;
        _first = OfRates(first);
        _second = OfRates(second);
        if (Math.Min(first.Count, second.Count) < LeastBlocks)
            return;
        // No test: every block of both lost the same.
        Test = PermutationTest.OfShares(first, second) ?? new RankTest(0.5, 1, PMethod.Exact);
        Difference90 = WelchTest.Difference(_first, _second, 0.9) ?? new Interval(0, 0);
    }

    /// <summary>The permutation of blocks, two-sided. Null: fewer than <see cref="LeastBlocks"/> of an arm.</summary>
    public RankTest? Test { get; }

    public double? P => Test?.P;

    /// <summary>The 90 % interval of second - first, as shares: two one-sided tests at 0.05. Null where <see cref="P"/> is.</summary>
    public Interval? Difference90 { get; }

    /// <summary>Significant and not <see cref="AreAlike"/>: equivalence is tested before direction.</summary>
    public bool Differ => P < Decision.Alpha && !AreAlike;

    public bool SecondIsLess => Differ && _second.Mean < _first.Mean;

    public bool SecondIsMore => Differ && _second.Mean > _first.Mean;

    /// <summary>True: shown to differ by less than <see cref="Margin"/>.</summary>
    public bool AreAlike => Difference90?.Inside(-Margin, Margin) == true;

    /// <summary>True: the second is shown to lose less than <see cref="Margin"/> more.</summary>
    public bool SecondIsNoMore => Difference90?.High < Margin;

    /// <summary>Such as <c>pubsub - direct -1.2 to 0.4 points (90 %)</c>; empty where there is no interval.</summary>
    public string Difference => Difference90 is { } between
        ? $"{_difference} {Points(between.Low)} to {Points(between.High)} points (90 %)"
        : "";

    /// <summary>Such as <c>permutation of 5 and 5 blocks, p = 0.0079; pubsub - direct -1.2 to 0.4 points (90 %)</c>.</summary>
    public string Text => Test is { } test
        ? $"permutation of {_first.Count} and {_second.Count} blocks, {PText.Equation(test)}; {Difference}"
        : $"at least {LeastBlocks} blocks of each arm are needed";

    private static Moments OfRates(IReadOnlyList<(long Lost, long Attempts)> blocks) =>
        Moments.Compute([.. blocks.Select(block => block.Attempts == 0 ? 0 : (double)block.Lost / block.Attempts)]);

    private static string Points(double share) =>
        (share * 100).ToString(Math.Abs(share) < 0.0005 ? "0.####" : "0.00", CultureInfo.InvariantCulture);

    public static Losses From(ArmEvidence first, ArmEvidence second) => new(first, second);
}

/// <summary>
/// H1b under a fault: whether pubsub loses less than direct, by a permutation of blocks, since such losses are clustered.
/// </summary>
/// <param name="Text">The same with figures, as a predicate of H1b such as <c>is not testable: ...</c>.</param>
public sealed record LessLoss(LessLossWord Word, string Text)
{
    /// <summary>Of the permutation, not corrected for the number of runs in a list. Null: not tested.</summary>
    public double? P { get; init; }

    public static LessLoss From(FaultEvidence evidence)
    {
        if (evidence.Obstacle is { } obstacle)
            return NotTestable(obstacle);
        if (evidence.Find(Relays.Direct) is not { } direct || evidence.Find(Relays.PubSub) is not { } pubsub)
            return NotTestable("an arm was not run");
        if (direct.Buckets.Lost + pubsub.Buckets.Lost == 0)
            return NotTestable("nothing was lost in either arm");
        var losses = Losses.From(direct, pubsub);
        if ((evidence.TooSmall ?? (losses.Test is null ? losses.Text : null)) is { } small)
            return new(LessLossWord.NotJudged, $"is {Verdict.TooSmall}: {small}");
        if (direct.HasWindows || pubsub.HasWindows)
        {
            var windows = ExpectedOutage.AlikeIn(Relays.Direct, Relays.PubSub).Judge(evidence);
            if (windows.Word != ExpectationWord.AsPredicted)
                return NotTestable($"the arms did not have the same fault, or this is not known ({windows.Found})");
        }

        return From(losses, losses.Text) with { P = losses.P };
    }

    /// <summary>The decision at the corrected p of a family of tests: equivalence stays, but a direction may no longer be shown.</summary>
    /// <param name="p">After the correction.</param>
    public LessLossWord WordAt(double p) =>
        Word is LessLossWord.Holds or LessLossWord.Reversed && p >= Decision.Alpha ? LessLossWord.NotShown : Word;

    /// <summary>For a list of runs.</summary>
    public ListedTest ForList() => new("Pubsub loses less (H1b)", P, p => Kebab.Text(WordAt(p)).Replace('-', ' '))
    {
        Untested = Word == LessLossWord.NotJudged ? Verdict.TooSmall : "not testable",
    };

    private static LessLoss From(Losses losses, string found) =>
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
