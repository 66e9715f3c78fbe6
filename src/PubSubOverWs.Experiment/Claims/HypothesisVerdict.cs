using System.Globalization;

namespace PubSubOverWs.Experiment.Claims;

/// <summary>What all rows of a hypothesis say together.</summary>
/// <param name="Id">H1a, H1b, H2, H3, H3'.</param>
/// <param name="Claim">What is held to be true, in one sentence.</param>
/// <param name="Verdict">Of the rows where the hypothesis claims something: any contradicted; else any not judged; else any inconclusive;
/// else the weakest testable row; else not testable.</param>
/// <param name="ContradictedAt">The levels that contradict it.</param>
/// <param name="Rows">One for each level.</param>
public sealed record HypothesisVerdict(
    string Id, string Claim, Verdict Verdict, IReadOnlyList<int> ContradictedAt, IReadOnlyList<RowVerdict> Rows)
{
    public static HypothesisVerdict Of(string id, string claim, IReadOnlyList<RowVerdict> rows)
    {
        // The order of the enum is the order of precedence, once what cannot be tested is left out.
        var testable = rows.Where(row => row.IsClaimed && row.Verdict != Verdict.NotTestable).ToArray();
        var verdict = testable.Length == 0 ? Verdict.NotTestable : testable.Min(row => row.Verdict);
        return new(id, claim, verdict, [.. testable.Where(row => row.Verdict == Verdict.Contradicted).Select(row => row.Users)], rows);
    }

    /// <summary>For example <c>contradicted at N = 500, 1000 on this host</c>.</summary>
    public string Text => Verdict == Verdict.Contradicted
        ? $"contradicted at N = {string.Join(", ", ContradictedAt.Select(users => users.ToString(CultureInfo.InvariantCulture)))} on "
            + "this host"
        : VerdictText.Of(Verdict);
}
