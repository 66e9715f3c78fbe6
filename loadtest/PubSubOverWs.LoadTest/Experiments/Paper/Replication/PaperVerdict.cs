namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>The first question about a row: which way it points, beside the hypothesis.</summary>
public enum Direction
{
    /// <summary>Shown to be within the margin, in either direction.</summary>
    Alike,

    /// <summary>Significant, in the direction that the hypothesis states.</summary>
    AsClaimed,

    /// <summary>Significant, in the other direction.</summary>
    Opposite,

    /// <summary>None of these is shown, or the ways of testing disagree.</summary>
    Open,
}

/// <summary>The second question, asked where the direction is as claimed: whether the effect has the published size.</summary>
public enum Size
{
    /// <summary>The published size is in the interval, whose ends are within a factor of two of it.</summary>
    AsPublished,

    /// <summary>The published size is outside of the interval.</summary>
    Other,

    /// <summary>The published size is in an interval that is too wide to confirm it.</summary>
    TooCoarse,
}

/// <summary>What a measured row says about a published one.</summary>
public enum PaperVerdict
{
    /// <summary>The run cannot answer.</summary>
    NotTestable,

    /// <summary>Significantly the other way, or shown to be as good as absent, where the paper claims it.</summary>
    Contradicted,

    /// <summary>The run is too small for a verdict: fewer than 20 iterations of an arm, or fewer than 5 blocks.</summary>
    NotJudged,

    /// <summary>It could have been answered, and no direction was shown.</summary>
    Open,

    /// <summary>The direction as claimed; the size is not confirmed, or may not be.</summary>
    DirectionOnly,

    /// <summary>Shown to be as good as absent, where nothing else is claimed.</summary>
    NoDifference,

    /// <summary>The direction as claimed, and the published size.</summary>
    Reproduced,

    /// <summary>The paper claims nothing at this level: its direction is told, and speaks neither for nor against the hypothesis.</summary>
    NotClaimed,
}

/// <summary>Verdicts as reports write them.</summary>
public static class VerdictText
{
    public static string Text(PaperVerdict verdict) => verdict switch
    {
        PaperVerdict.NotJudged => Verdict.TooSmall,
        PaperVerdict.NotClaimed => "no claim",
        _ => Words(verdict),
    };

    public static string Text(Size size) => size == Size.Other ? "other size" : Words(size);

    /// <summary>Its name in small letters, such as <c>as claimed</c>.</summary>
    public static string Words<T>(T value) where T : struct, Enum => Kebab.Text(value).Replace('-', ' ');
}

/// <summary>The verdict on one row.</summary>
/// <param name="Reason">Why, in a few words.</param>
public sealed record RowVerdict(int Users, PaperVerdict Verdict, string Reason)
{
    /// <summary>The hypothesis claims something at this level: elsewhere the row is told, and does not speak for or against it.</summary>
    public bool IsClaimed { get; init; } = true;

    /// <summary>Null: not asked.</summary>
    public Direction? Direction { get; init; }

    /// <summary>Null: not asked, because the direction is not as claimed.</summary>
    public Size? Size { get; init; }

    /// <summary>With both answers: <c>direction only (too coarse)</c>, <c>contradicted (alike)</c>, <c>no claim (opposite)</c>.</summary>
    [JsonIgnore]
    public string Text => VerdictText.Text(Verdict) + (Verdict, Direction, Size) switch
    {
        (PaperVerdict.DirectionOnly, _, { } size) => $" ({VerdictText.Text(size)})",
        (PaperVerdict.Contradicted or PaperVerdict.NotClaimed, { } direction, _) => $" ({VerdictText.Words(direction)})",
        _ => "",
    };
}

/// <summary>The verdict of all rows of a hypothesis together.</summary>
/// <param name="Id">H1a, H1b, H2, H3, H3'.</param>
/// <param name="Claim">The hypothesis, in one sentence.</param>
/// <param name="Verdict">Of the rows where the hypothesis claims something: any contradicted; else any not judged; else any open; else the
/// weakest testable row; else not testable.</param>
/// <param name="ContradictedAt">The levels that contradict it.</param>
/// <param name="Rows">One for each level.</param>
public sealed record HypothesisVerdict(
    string Id, string Claim, PaperVerdict Verdict, IReadOnlyList<int> ContradictedAt, IReadOnlyList<RowVerdict> Rows)
{
    public static HypothesisVerdict From(string id, string claim, IReadOnlyList<RowVerdict> rows)
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

    /// <summary>For example <c>contradicted at N = 500, 1000 on this host</c>, or <c>direction only (other size)</c>.</summary>
    public string Text => Verdict == PaperVerdict.Contradicted
        ? $"contradicted at N = {string.Join(", ", ContradictedAt.Select(users => users.ToString(CultureInfo.InvariantCulture)))} on "
            + "this host"
        : string.Join(", ", Rows.Where(row => row.IsClaimed && row.Verdict == Verdict).Select(row => row.Text)
            .DefaultIfEmpty(VerdictText.Text(Verdict)).Distinct());
}
