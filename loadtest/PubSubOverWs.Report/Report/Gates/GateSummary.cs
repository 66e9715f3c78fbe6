using System.Xml;
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
            Table.From(
                results, ("outcome", Outcome), ("gate", result => $"`{result.Gate.Text}`"),
                ("found", result => result.Sentence[(result.Gate.Text.Length + 2)..])),
            Table.From(
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

/// <summary>Gates as JUnit XML for CI systems: a test case for each gate, each required claim, and the validity of the run.</summary>
public static class GateJUnit
{
    /// <param name="invalid">Failed validity checks; empty: the run is valid.</param>
    public static string Write(
        string scenario, IReadOnlyList<string> invalid, IReadOnlyList<GateResult> results, IReadOnlyList<ClaimResult>? claims = null)
    {
        ClaimResult[] required = [.. (claims ?? []).Where(claim => claim.Claim.Required)];
        var text = new StringBuilder();
        using (var xml = XmlWriter.Create(new Utf8(text), new XmlWriterSettings { Indent = true, NewLineChars = "\n" }))
        {
            xml.WriteStartElement("testsuites");
            xml.WriteStartElement("testsuite");
            xml.WriteAttributeString("name", scenario);
            xml.WriteAttributeString("tests", XmlConvert.ToString(results.Count + required.Length + 1));
            xml.WriteAttributeString("failures", XmlConvert.ToString((invalid.Count > 0 ? 1 : 0) + results.Count(Fails)
                + required.Count(claim => claim.Fails)));
            Case(xml, scenario, "the run is valid", invalid.Count > 0, string.Join("; ", invalid));
            foreach (var result in results)
                Case(xml, scenario, result.Gate.Text, Fails(result), result.Sentence);
            foreach (var claim in required)
                Case(xml, scenario, $"claim {claim.Claim.Id}", claim.Fails, claim.Sentence);
        }
        return text.Append('\n').ToString();
    }

    private static bool Fails(GateResult result) => result is { Passed: false, Gate.Severity: GateSeverity.Fail };

    private static void Case(XmlWriter xml, string scenario, string name, bool fails, string sentence)
    {
        xml.WriteStartElement("testcase");
        xml.WriteAttributeString("classname", scenario);
        xml.WriteAttributeString("name", name);
        if (fails)
        {
            xml.WriteStartElement("failure");
            xml.WriteAttributeString("message", sentence);
            xml.WriteEndElement();
        }
        else if (sentence.Length > 0)
        {
            xml.WriteElementString("system-out", sentence);
        }
        xml.WriteEndElement();
    }

    private sealed class Utf8(StringBuilder text) : StringWriter(text, CultureInfo.InvariantCulture)
    {
        public override Encoding Encoding => Encoding.UTF8;
    }
}
