namespace PubSubOverWs.Report.Claims;

/// <summary>A statement made before the run, which the run confirms or refutes.</summary>
/// <param name="Id">Short, and unique in its experiment.</param>
/// <param name="Text">The statement, as a sentence without its full stop.</param>
/// <param name="Required">True: a run that refutes it ends as one that failed a gate, with exit code 2.</param>
public abstract record Claim(string Id, string Text, bool Required = false)
{
    /// <summary>In a few words, why a run without any level of which it is claimed cannot decide.</summary>
    protected virtual string OfNoLevel => "no level was run of which it is claimed";

    public abstract Verdict At(Level level, ClaimEvidence evidence);

    /// <summary>
    /// The verdict over all levels of which it is claimed: refuted if one refutes it, else open if one leaves it open, else what they all
    /// say.
    /// </summary>
    public Verdict Together(IReadOnlyList<LevelVerdict> levels)
    {
        LevelVerdict[] claimed = [.. levels.Where(one => one.Verdict.IsClaimed)];
        return claimed.Length == 0 ? Verdict.NotTestable(OfNoLevel) : Decided(claimed);
    }

    private static Verdict Decided(LevelVerdict[] levels)
    {
        var decisive = levels.MinBy(one => one.Verdict.Holds switch { false => 0, null => 1, true => 2 })!.Verdict;
        var alike = levels.Where(one => one.Verdict.Word == decisive.Word).ToArray();
        return decisive with
        {
            Reason = alike is [var only] && levels.Length == 1
                ? only.Verdict.Reason
                : string.Join("; ", alike.Select(one => $"{one.Level}: {one.Verdict.Reason}")),
        };
    }
}

/// <param name="Word">One or two words, such as <c>holds</c>.</param>
/// <param name="Holds">False: refuted. Null: open, neither shown nor refuted.</param>
/// <param name="Reason">A few words.</param>
public sealed record Verdict(string Word, bool? Holds, string Reason)
{
    /// <summary>The word for a run that is too small for a verdict.</summary>
    public const string TooSmall = "not judged (quick)";

    /// <summary>False: nothing is claimed of this level, which therefore decides nothing.</summary>
    public bool IsClaimed { get; init; } = true;

    public static Verdict Holding(string reason) => new("holds", true, reason);

    /// <summary>Not refuted by a run that is too small to confirm it.</summary>
    public static Verdict HoldingSoFar(string reason) => new("holds so far", true, reason);

    public static Verdict Refuted(string reason) => new("refuted", false, reason);

    /// <summary>The run was large enough, but its result is not clear.</summary>
    public static Verdict Inconclusive(string reason) => new("inconclusive", null, reason);

    /// <summary>The run is too small for a verdict.</summary>
    public static Verdict NotJudged(string reason) => new(TooSmall, null, reason);

    /// <summary>No run of this kind can decide, however large.</summary>
    public static Verdict NotTestable(string reason) => new("not testable", null, reason);
}

public sealed record LevelVerdict(Level Level, Verdict Verdict);

/// <param name="Claim">The statement.</param>
/// <param name="Together">The verdict over all levels.</param>
/// <param name="Levels">The verdict at each level.</param>
public sealed record ClaimResult(Claim Claim, Verdict Together, IReadOnlyList<LevelVerdict> Levels)
{
    /// <summary>True: the run must not end with exit code 0.</summary>
    public bool Fails => Claim.Required && Together.Holds == false;

    public string Sentence => $"{Claim.Id} ({Claim.Text}): {Together.Word}, {Together.Reason}.";
}
