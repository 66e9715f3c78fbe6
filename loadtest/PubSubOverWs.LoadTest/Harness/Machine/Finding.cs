namespace PubSubOverWs.LoadTest.Harness.Machine;

/// <summary>The result of one check.</summary>
/// <param name="Level">Its effect on a run.</param>
/// <param name="Name">The check, in one word.</param>
/// <param name="Text">The value that was found, and the one that is needed.</param>
/// <param name="Fix">The advice; empty if none is needed.</param>
public sealed record Finding(CheckLevel Level, string Name, string Text, string Fix = "")
{
    /// <summary>As <c>doctor</c> prints it for people; two lines where there is something to fix.</summary>
    [JsonIgnore]
    public string Line
    {
        get
        {
            var mark = Level switch { CheckLevel.Good => "ok  ", CheckLevel.Warning => "warn", _ => "FAIL" };
            return $"{mark}  {Name,-11} {Text}{(Fix.Length == 0 ? "" : $"{Environment.NewLine}{"",18}-> {Fix}")}";
        }
    }

    /// <summary>The sentence with which a run refuses: what is wrong, and how to fix it.</summary>
    [JsonIgnore]
    public string Refusal => $"This machine cannot run this: {Name}: {Text}; {Fix}.";
}

/// <summary>All findings for programs: docs/doctor.schema.json.</summary>
/// <param name="Doctor">The version of the format.</param>
/// <param name="Scenario">What the machine was checked for.</param>
/// <param name="CanRun">False: a finding is a refusal.</param>
/// <param name="Findings">In the order in which they are printed.</param>
public sealed record ExaminationDocument(int Doctor, string Scenario, bool CanRun, IReadOnlyList<Finding> Findings)
{
    private const int Version = 1;

    public static ExaminationDocument Of(string scenario, IReadOnlyList<Finding> findings) =>
        new(Version, scenario, findings.All(finding => finding.Level != CheckLevel.Refusal), findings);
}

/// <summary>The effect of a finding on a run.</summary>
public enum CheckLevel
{
    /// <summary>Nothing to fix.</summary>
    Good,

    /// <summary>A run works, but its results are less reliable.</summary>
    Warning,

    /// <summary>A run would fail, and is refused before anything is started.</summary>
    Refusal,
}
