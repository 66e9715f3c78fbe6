namespace PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

/// <summary>The predictions of faults as code.</summary>
public static class FaultExpectations
{
    /// <summary>Of the scenario's fault, with its bound on messages in flight.</summary>
    public static IReadOnlyList<Expectation> From(OneWayScenario scenario) => scenario.MaxInFlight is { } max
        ? scenario.Fault.ExpectationsWithin(max)
        : scenario.Fault.Expectations;

    /// <summary>The prediction that a record of this scenario keeps; null: it has no fault to demonstrate.</summary>
    public static RegisteredPrediction? Registered(Scenario scenario) =>
        scenario is OneWayScenario { Disturbance: not null, IsAgainstItself: false } oneWay ? Registered(oneWay) : null;

    public static RegisteredPrediction Registered(OneWayScenario scenario) =>
        new(scenario.Fault.Prediction, [.. From(scenario).Select(line => line.Text)]);
}

/// <summary>One testable statement of a prediction, judged at one level over the measured iterations.</summary>
/// <param name="Id">Such as <c>nothing-is-lost</c>.</param>
/// <param name="Text">A sentence without its full stop, such as <c>direct loses nothing</c>.</param>
/// <param name="Arms">The arms it is about, all of which must have been run.</param>
/// <param name="Answer">Judges it, given that all arms have attempts and nothing prevents a judgement.</param>
public sealed record Expectation(
    [property: JsonIgnore] string Id, string Text, IReadOnlyList<string> Arms,
    [property: JsonIgnore] Func<FaultEvidence, ExpectationAnswer> Answer)
{
    /// <summary>True: it is omitted if one of its arms was not run.</summary>
    public bool OnlyWhereRun { get; init; }

    public ExpectationFinding Judge(FaultEvidence evidence)
    {
        var answer = AnswerOf(evidence);
        return new(Text, answer.Holds switch
        {
            true => ExpectationWord.AsPredicted,
            false => ExpectationWord.NotAsPredicted,
            null => answer.IsTooSmall ? ExpectationWord.NotJudged : ExpectationWord.NotTestable,
        }, answer.Found);
    }

    private ExpectationAnswer AnswerOf(FaultEvidence evidence)
    {
        var missing = Arms.Where(arm => evidence.Find(arm) is null).ToArray();
        return missing.Length > 0 ? new(null, $"{string.Join(" and ", missing)} was not run")
            : evidence.Obstacle is { } obstacle ? new(null, obstacle)
            : evidence.TooSmall is { } small ? ExpectationAnswer.OfTooSmall(small)
            : Arms.All(arm => evidence.Of(arm).Buckets.Attempts > 0) ? Answer(evidence)
            : new(null, "nothing was attempted");
    }
}

/// <param name="Holds">Null: it cannot be tested.</param>
/// <param name="Found">The figures, or why it cannot be tested.</param>
public readonly record struct ExpectationAnswer(bool? Holds, string Found)
{
    /// <summary>True: a larger run could answer.</summary>
    public bool IsTooSmall { get; private init; }

    public static ExpectationAnswer OfTooSmall(string why) => new(null, why) { IsTooSmall = true };
}

/// <summary>The outcome of an expectation.</summary>
/// <param name="Found">The figures, or why it cannot be tested.</param>
public sealed record ExpectationFinding(string Expected, ExpectationWord Word, string Found);

/// <summary>The outcome of an expectation, or of a whole prediction.</summary>
public enum ExpectationWord
{
    AsPredicted,
    NotAsPredicted,

    /// <summary>The run is too small.</summary>
    NotJudged,

    /// <summary>Nor could a larger run of the same kind decide.</summary>
    NotTestable,
}
