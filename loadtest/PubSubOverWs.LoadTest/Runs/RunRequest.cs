using PubSubOverWs.LoadTest.Targets;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What the user asked of <c>run</c>, before anything is looked up.</summary>
public sealed record RunRequest : TargetOptions
{
    /// <summary>A name or a path; null only with <see cref="Resume"/> and <see cref="SelfTest"/>.</summary>
    public string? Scenario { get; init; }

    public ScenarioChanges Changes { get; init; } = new();

    public string? Out { get; init; }

    public string? Label { get; init; }

    /// <summary>What the folder's name ends with: <see cref="Label"/>, or the fault that was asked for. Null: nothing.</summary>
    public string? FolderLabel => Label ?? Changes.Fault;

    /// <summary>The record folder of an interrupted run.</summary>
    public string? Resume { get; init; }

    public bool DryRun { get; init; }

    /// <summary>Measures nothing: faults are injected, and the accounting must find them.</summary>
    public bool SelfTest { get; init; }

    /// <summary>The record folder that gates which name a baseline hold the run against; null: none.</summary>
    public string? Baseline { get; init; }

    /// <summary>Where the gates go as JUnit XML; null: nowhere.</summary>
    public string? JUnit { get; init; }

    public bool Plain { get; init; }
}
