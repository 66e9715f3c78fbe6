using PubSubOverWs.LoadTest.Experiments.Paper.Faults;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

/// <summary>The arms of one level, as the basis for judging expectations.</summary>
/// <param name="Obstacle">Why nothing can be tested, such as <c>the run is invalid</c>; null: it can.</param>
/// <param name="Arms">Those that were run.</param>
public sealed record FaultEvidence(string? Obstacle, IReadOnlyList<ArmEvidence> Arms)
{
    /// <summary>Why the run is too small for any judgement; null: it is not.</summary>
    public string? TooSmall { get; init; }

    /// <summary>The time over which messages were due; zero: all at once.</summary>
    public TimeSpan Spread { get; init; }

    public static FaultEvidence Of(RunRecord run, bool isValid, IReadOnlyList<ArmEvidence> arms) =>
        new(ObstacleOf(run, isValid), arms)
        {
            TooSmall = FewFaultActions(FaultOf(run), arms),
            Spread = run.Scenario.Arrivals.Spread,
        };

    /// <summary>Null: the arm was not run, or has no measured iteration.</summary>
    public ArmEvidence? Find(string arm) => Arms.FirstOrDefault(one => one.Arm == arm);

    public ArmEvidence Of(string arm) => Find(arm) ?? throw new InvalidOperationException($"There is no evidence of {arm}.");

    private static Fault FaultOf(RunRecord run) => ((OneWayScenario)run.Scenario).Fault;

    private static string? ObstacleOf(RunRecord run, bool isValid) => FaultOf(run) switch
    {
        _ when !isValid => "the run is invalid",
        _ when !run.Complete => "the run is incomplete",
        { NeedsPinning: true } when run.SetUp.NotPinnedBecause is { } why => $"nothing was pinned: {why}",
        { NotJudgedBecause: { } parameters } => parameters,
        _ => null,
    };

    private static string? FewFaultActions(Fault fault, IReadOnlyList<ArmEvidence> arms) =>
        arms.FirstOrDefault(arm => arm.FaultActions < fault.LeastFaultActions) is { } few
            ? $"{few.Arm} has {few.FaultActions} fault actions over the run, and {fault.LeastFaultActions} are needed"
            : null;
}

/// <summary>Compares a prediction with the outcome at one level.</summary>
public static class FaultJudge
{
    public static FaultOutcome Judge(IReadOnlyList<Expectation> prediction, FaultEvidence evidence)
    {
        ExpectationFinding[] findings =
        [
            .. prediction.Where(one => !one.OnlyWhereRun || one.Arms.All(arm => evidence.Find(arm) is not null))
                .Select(one => one.Judge(evidence)),
        ];
        var wrong = Array.FindAll(findings, one => one.Word == ExpectationWord.NotAsPredicted);
        if (wrong.Length > 0)
            return new(ExpectationWord.NotAsPredicted, $"not as predicted: {string.Join("; ", wrong.Select(Said))}", findings);
        // A prediction holds only as a whole: an untested line is not shown.
        var untested = Array.FindAll(findings, one => one.Word != ExpectationWord.AsPredicted);
        if (untested.Length == 0)
            return new(ExpectationWord.AsPredicted, "as predicted", findings);
        var word = Array.Exists(untested, one => one.Word == ExpectationWord.NotJudged)
            ? ExpectationWord.NotJudged
            : ExpectationWord.NotTestable;
        // One reason for all lines is said once.
        var why = word == ExpectationWord.NotJudged && evidence.TooSmall is { } small ? small : string.Join("; ", untested.Select(Said));
        return new(word, $"{FaultSection.Words(word)}: {why}", findings);
    }

    private static string Said(ExpectationFinding one) => $"{one.Expected} ({one.Found})";
}

/// <param name="Word">Not as predicted, if one line is not; else not judged, if one is not; else not testable, if one is not; else as
/// predicted.</param>
/// <param name="Text">The same with the lines that decided it.</param>
/// <param name="Findings">The outcome of every line.</param>
public sealed record FaultOutcome(ExpectationWord Word, string Text, IReadOnlyList<ExpectationFinding> Findings);
