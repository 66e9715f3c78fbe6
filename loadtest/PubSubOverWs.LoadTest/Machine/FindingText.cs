namespace PubSubOverWs.LoadTest.Machine;

/// <summary>Findings as doctor prints them and as a run refuses with them.</summary>
public static class FindingText
{
    public static string Line(Finding finding)
    {
        var mark = finding.Level switch { CheckLevel.Good => "ok  ", CheckLevel.Warning => "warn", _ => "FAIL" };
        var mend = finding.Mend.Length == 0 ? "" : $"{Environment.NewLine}{"",18}-> {finding.Mend}";
        return $"{mark}  {finding.Name,-11} {finding.Text}{mend}";
    }

    /// <summary>One sentence: what is wrong, and how to mend it.</summary>
    public static string Refusal(Finding finding) => $"This machine cannot carry the run: {finding.Name}: {finding.Text}; {finding.Mend}.";
}
