using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Documents;

namespace PubSubOverWs.Report.Gates;

/// <summary>Gates as Markdown and as lines of GitHub Actions.</summary>
public static class GateSummary
{
    // GitHub refuses a step's summary above 1 MiB (https://docs.github.com/actions, "Step isolation and limits"): far above this.
    private const int MaxCharacters = 200_000;

    /// <param name="invalid">Failed validity checks with details; empty: the run is valid.</param>
    public static string Markdown(
        string scenario, IReadOnlyList<string> invalid, IReadOnlyList<GateResult> results, IReadOnlyList<ClaimResult>? claims = null)
    {
        var whole = MarkdownText.Write(
        [
            new Heading(3, $"PubSubOverWs: {scenario}"),
            .. invalid.Count == 0 ? (Block[])[] : [new Paragraph("**The run is invalid**, and no gate can pass:"), new BulletList(invalid)],
            .. results.Count > 0 ? (Block[])[] : [new Paragraph("No gates.")],
            Table.Of(
                results, ("outcome", Outcome), ("gate", result => $"`{result.Gate.Text}`"),
                ("found", result => result.Sentence[(result.Gate.Text.Length + 2)..])),
            Table.Of(
                claims ?? [],
                ("outcome", claim => claim.Fails ? $"**{claim.Together.Word}**" : claim.Together.Word),
                ("claim", claim => claim.Claim.Text),
                ("found", claim => claim.Together.Reason)),
        ]);
        return whole.Length <= MaxCharacters
            ? whole
            : whole[..whole.LastIndexOf('\n', MaxCharacters)] + "\n\nThe rest is left out: the summary would be too long.\n";
    }

    /// <summary>Workflow commands: an error for each failed gate, a warning for each that only warns.</summary>
    public static IEnumerable<string> Annotations(
        IReadOnlyList<string> invalid, IReadOnlyList<GateResult> results, IReadOnlyList<ClaimResult>? claims = null)
    {
        foreach (var check in invalid)
            yield return $"::error title=Invalid run::{Escaped(check)}";
        foreach (var result in results.Where(result => !result.Passed))
            yield return $"::{(result.Gate.Severity == GateSeverity.Warn ? "warning" : "error")} title=Gate::{Escaped(result.Sentence)}";
        foreach (var claim in (claims ?? []).Where(claim => claim.Fails))
            yield return $"::error title=Required claim::{Escaped(claim.Sentence)}";
    }

    private static string Outcome(GateResult result) => (result.Passed, result.Gate.Severity) switch
    {
        (true, _) => "passed",
        (false, GateSeverity.Warn) => "warning",
        _ when result.Undecided => "**undecided**",
        _ => "**failed**",
    };

    // As https://github.com/actions/toolkit, packages/core/src/command.ts, escapes a command's message.
    private static string Escaped(string text) =>
        text.Replace("%", "%25", StringComparison.Ordinal).Replace("\r", "%0D", StringComparison.Ordinal)
            .Replace("\n", "%0A", StringComparison.Ordinal);
}
