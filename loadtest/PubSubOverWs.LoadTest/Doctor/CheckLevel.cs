namespace PubSubOverWs.LoadTest.Doctor;

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
