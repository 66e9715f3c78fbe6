namespace PubSubOverWs.LoadTest.Machine;

/// <summary>What one check found.</summary>
/// <param name="Level">What it means for a run.</param>
/// <param name="Name">What was looked at, one word.</param>
/// <param name="Text">What is there, beside what is needed.</param>
/// <param name="Mend">What to do; empty when all is well.</param>
public sealed record Finding(CheckLevel Level, string Name, string Text, string Mend = "");

/// <summary>What a finding means for a run.</summary>
public enum CheckLevel
{
    /// <summary>Nothing to mend.</summary>
    Good,

    /// <summary>A run works, but its figures say less than they could.</summary>
    Warning,

    /// <summary>A run would break: it is refused before anything is started.</summary>
    Refusal,
}
