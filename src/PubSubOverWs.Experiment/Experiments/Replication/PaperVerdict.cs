namespace PubSubOverWs.Experiment.Experiments.Replication;

/// <summary>What a measured row says about a published one.</summary>
public enum PaperVerdict
{
    /// <summary>The run cannot answer.</summary>
    NotTestable,

    /// <summary>Significantly the other way, or shown to be as good as absent.</summary>
    Contradicted,

    /// <summary>The run is too small for a verdict: fewer than 20 iterations of an arm, or fewer than 5 blocks.</summary>
    NotJudged,

    /// <summary>It could have been answered, and was not clear.</summary>
    Inconclusive,

    /// <summary>
    /// A difference where the paper called none significant, and could not have: with its deviations it would have missed one as large as
    /// its own.
    /// </summary>
    NotSeenByPaper,

    /// <summary>The same sign; the size is not confirmed, or may not be.</summary>
    DirectionOnly,

    /// <summary>Shown to be as good as absent, where the paper called no difference significant.</summary>
    NoDifference,

    /// <summary>The same sign and a size that agrees with the published.</summary>
    Reproduced,
}

/// <summary>Verdicts as reports write them.</summary>
public static class VerdictText
{
    public static string Of(PaperVerdict verdict) => verdict switch
    {
        PaperVerdict.NotTestable => "not testable",
        PaperVerdict.Contradicted => "contradicted",
        PaperVerdict.NotJudged => Claims.Standard.Verdict.TooSmall,
        PaperVerdict.NotSeenByPaper => "difference, where the paper could not have seen one",
        PaperVerdict.NoDifference => "no difference, as published",
        PaperVerdict.Inconclusive => "inconclusive",
        PaperVerdict.DirectionOnly => "direction only",
        PaperVerdict.Reproduced => "reproduced",
        _ => throw new ArgumentOutOfRangeException(nameof(verdict), verdict, "There is no such verdict."),
    };
}

/// <summary>The verdict on one row.</summary>
/// <param name="Users">The level.</param>
/// <param name="Verdict">The word.</param>
/// <param name="Reason">Why, in a few words.</param>
public sealed record RowVerdict(int Users, PaperVerdict Verdict, string Reason)
{
    /// <summary>The hypothesis claims something at this level: elsewhere the row is told, and does not speak for or against it.</summary>
    public bool IsClaimed { get; init; } = true;
}

/// <summary>The verdict of all rows of a hypothesis together.</summary>
/// <param name="Id">H1a, H1b, H2, H3, H3'.</param>
/// <param name="Claim">The hypothesis, in one sentence.</param>
/// <param name="Verdict">Of the rows where the hypothesis claims something: any contradicted; else any not judged; else any inconclusive;
/// else the weakest testable row; else not testable.</param>
/// <param name="ContradictedAt">The levels that contradict it.</param>
/// <param name="Rows">One for each level.</param>
public sealed record HypothesisVerdict(
    string Id, string Claim, PaperVerdict Verdict, IReadOnlyList<int> ContradictedAt, IReadOnlyList<RowVerdict> Rows)
{
    public static HypothesisVerdict Of(string id, string claim, IReadOnlyList<RowVerdict> rows)
    {
        // The order of the enum is the order of precedence, once what cannot be tested is left out.
        var testable = rows.Where(row => row.IsClaimed && row.Verdict != PaperVerdict.NotTestable).ToArray();
        var verdict = testable.Length == 0 ? PaperVerdict.NotTestable : testable.Min(row => row.Verdict);
        return new(id, claim, verdict, [.. testable.Where(row => row.Verdict == PaperVerdict.Contradicted).Select(row => row.Users)], rows);
    }

    /// <summary>For example <c>H2 (Pubsub is slower: its mean latency is higher): not judged (quick), n is 5 in 1 block, ...</c></summary>
    [JsonIgnore]
    public string Sentence
    {
        get
        {
            var reasons = Rows.Where(row => row.IsClaimed && row.Verdict == Verdict)
                .GroupBy(row => row.Reason, row => Format.Whole(row.Users)).ToArray();
            var why = reasons is [var only] ? only.Key
                : Verdict is PaperVerdict.NotTestable or PaperVerdict.NotJudged
                    ? string.Join("; ", reasons.Select(reason => $"at N = {string.Join(", ", reason)} {reason.Key}"))
                : "";
            return $"{Id} ({Claim.Split(". ")[0].TrimEnd('.')}): {Text}{(why.Length > 0 ? $", {why}" : "")}.";
        }
    }

    /// <summary>For example <c>contradicted at N = 500, 1000 on this host</c>.</summary>
    public string Text => Verdict == PaperVerdict.Contradicted
        ? $"contradicted at N = {string.Join(", ", ContradictedAt.Select(users => users.ToString(CultureInfo.InvariantCulture)))} on "
            + "this host"
        : VerdictText.Of(Verdict);
}
