using System.Xml;
using PubSubOverWs.Report.Claims;

namespace PubSubOverWs.Report.Gates;

/// <summary>Gates as JUnit XML for CI systems: a test case for each gate, each required claim, and the validity of the run.</summary>
public static class GateJUnit
{
    /// <param name="invalid">Failed validity checks; empty: the run is valid.</param>
    /// <param name="claims">Claims made before the run; null: none.</param>
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
