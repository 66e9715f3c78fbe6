using PubSubOverWs.Experiment.Faults;

namespace PubSubOverWs.Experiment.Predictions;

/// <summary>Holds the prediction of a fault against what was found at one level.</summary>
public static class FaultJudge
{
    public static FaultOutcome Judge(Fault fault, FaultEvidence evidence)
    {
        ExpectationFinding[] findings =
        [
            .. FaultExpectations.Of(fault).Where(one => !one.OnlyWhereRun || one.Arms.All(arm => evidence.Find(arm) is not null))
                .Select(one => one.Judge(evidence)),
        ];
        var wrong = Array.FindAll(findings, one => one.Word == ExpectationWord.NotAsPredicted);
        if (wrong.Length > 0)
            return new(ExpectationWord.NotAsPredicted, $"not as predicted: {string.Join("; ", wrong.Select(Said))}", findings);
        // A prediction holds as a whole or not at all: what could not be tested was not shown.
        var untested = Array.FindAll(findings, one => one.Word == ExpectationWord.NotTestable);
        return untested.Length > 0
            ? new(ExpectationWord.NotTestable, $"not testable: {string.Join("; ", untested.Select(Said))}", findings)
            : new(ExpectationWord.AsPredicted, "as predicted", findings);
    }

    private static string Said(ExpectationFinding one) => $"{one.Expected} ({one.Found})";
}

/// <summary>What became of a prediction.</summary>
/// <param name="Word">Not as predicted, if one line of it is not; else not testable, if one is not; else as predicted.</param>
/// <param name="Text">The same with the lines that made it so.</param>
/// <param name="Findings">Every line of the prediction, beside what was found.</param>
public sealed record FaultOutcome(ExpectationWord Word, string Text, IReadOnlyList<ExpectationFinding> Findings);
