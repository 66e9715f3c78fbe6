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
        var (first, second) = (firstArm.LostOfAttempted, secondArm.LostOfAttempted);
        (_first, _second) = (OfRates(first), OfRates(second));
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
        Moments.Of([.. blocks.Select(block => block.Attempts == 0 ? 0 : (double)block.Lost / block.Attempts)]);

    private static string Points(double share) =>
        (share * 100).ToString(Math.Abs(share) < 0.0005 ? "0.####" : "0.00", CultureInfo.InvariantCulture);

    public static Losses Of(ArmEvidence first, ArmEvidence second) => new(first, second);
}
