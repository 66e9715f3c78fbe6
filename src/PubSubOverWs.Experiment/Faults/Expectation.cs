namespace PubSubOverWs.Experiment.Faults;

/// <summary>One thing that a prediction says, in a form that can be judged: of one level, over the iterations that count.</summary>
public abstract record Expectation
{
    /// <summary>What is expected, as a sentence without its end, such as <c>direct loses nothing</c>.</summary>
    public abstract string Text { get; }

    /// <summary>The arms it is about: one that was not run cannot be judged.</summary>
    public abstract IReadOnlyList<string> Arms { get; }

    /// <summary>True: a run without one of its arms lacks nothing of its prediction.</summary>
    public bool OnlyWhereRun { get; init; }

    public ExpectationFinding Judge(FaultEvidence evidence)
    {
        var missing = Arms.Where(arm => evidence.Find(arm) is null).ToArray();
        if (missing.Length > 0)
            return Untested($"{string.Join(" and ", missing)} was not run");
        if (evidence.Obstacle is { } obstacle)
            return Untested(obstacle);
        return Arms.All(arm => evidence.Of(arm).Buckets.Attempts > 0) ? ArmStyle(evidence) : Untested("nothing was attempted");
    }

    /// <summary>Judges what is there: all arms, each of which attempted something, and nothing that stands in the way.</summary>
    protected abstract ExpectationFinding ArmStyle(FaultEvidence evidence);

    protected ExpectationFinding Decide(bool holds, string found) =>
        new(Text, holds ? ExpectationWord.AsPredicted : ExpectationWord.NotAsPredicted, found);

    protected ExpectationFinding Untested(string why) => new(Text, ExpectationWord.NotTestable, why);
}

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
