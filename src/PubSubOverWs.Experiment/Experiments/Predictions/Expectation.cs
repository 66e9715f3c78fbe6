using System.Text.Json.Serialization;

namespace PubSubOverWs.Experiment.Experiments.Predictions;

/// <summary>One thing that a prediction says, in a form that can be judged: of one level, over the iterations that count.</summary>
/// <param name="Id">Of its kind, such as <c>nothing-is-lost</c>.</param>
/// <param name="Text">What is expected, as a sentence without its end, such as <c>direct loses nothing</c>.</param>
/// <param name="Arms">The arms it is about: one that was not run cannot be judged.</param>
/// <param name="Answer">
/// Judges what is there: all arms, each of which attempted something, and nothing that stands in the way.
/// </param>
public sealed record Expectation(
    [property: JsonIgnore] string Id, string Text, IReadOnlyList<string> Arms,
    [property: JsonIgnore] Func<FaultEvidence, ExpectationAnswer> Answer)
{
    /// <summary>True: a run without one of its arms lacks nothing of its prediction.</summary>
    public bool OnlyWhereRun { get; init; }

    public ExpectationFinding Judge(FaultEvidence evidence)
    {
        var (holds, found) = AnswerOf(evidence);
        return new(Text, holds switch
        {
            true => ExpectationWord.AsPredicted,
            false => ExpectationWord.NotAsPredicted,
            null => ExpectationWord.NotTestable,
        }, found);
    }

    private ExpectationAnswer AnswerOf(FaultEvidence evidence)
    {
        var missing = Arms.Where(arm => evidence.Find(arm) is null).ToArray();
        return missing.Length > 0 ? new(null, $"{string.Join(" and ", missing)} was not run")
            : evidence.Obstacle is { } obstacle ? new(null, obstacle)
            : Arms.All(arm => evidence.Of(arm).Buckets.Attempts > 0) ? Answer(evidence)
            : new(null, "nothing was attempted");
    }
}

/// <param name="Holds">Null: it cannot be tested.</param>
/// <param name="Found">The figures, or why it cannot be tested.</param>
public readonly record struct ExpectationAnswer(bool? Holds, string Found);

/// <summary>An expectation beside what was found.</summary>
/// <param name="Expected">The expectation's text.</param>
/// <param name="Word">Whether it holds.</param>
/// <param name="Found">The figures, or why it cannot be tested.</param>
public sealed record ExpectationFinding(string Expected, ExpectationWord Word, string Found);

/// <summary>What became of an expectation, or of a whole prediction.</summary>
public enum ExpectationWord
{
    AsPredicted,
    NotAsPredicted,
    NotTestable,
}
