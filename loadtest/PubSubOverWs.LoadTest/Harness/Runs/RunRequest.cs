using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>The command line of <c>run</c>, before any file is read.</summary>
public sealed record RunRequest : TargetOptions
{
    /// <summary>A name or a path; null only with <see cref="Resume"/> and <see cref="SelfTest"/>.</summary>
    public string? Scenario { get; init; }

    public ScenarioChanges Changes { get; init; } = new();

    public string? Out { get; init; }

    public string? Label { get; init; }

    /// <summary>Suffix of the folder's name: <see cref="Label"/>, or the fault that was set; null: none.</summary>
    public string? FolderLabel => Label ?? Changes.Fault;

    /// <summary>The record folder of an interrupted run.</summary>
    public string? Resume { get; init; }

    /// <summary>What has the clients of the load.</summary>
    public ClientKind Client { get; init; }

    public bool DryRun { get; init; }

    /// <summary>The plan of a dry run as JSON.</summary>
    public bool Json { get; init; }

    /// <summary>Injects faults and checks that the accounting finds them; measures nothing.</summary>
    public bool SelfTest { get; init; }

    /// <summary>The record folder for gates that refer to a baseline; null: none.</summary>
    public string? Baseline { get; init; }

    /// <summary>The file for the gates as JUnit XML; null: none.</summary>
    public string? JUnit { get; init; }

    public bool Plain { get; init; }

    /// <summary>The port of the live page on loopback, 0 for any that is free; null: there is no page.</summary>
    public int? Live { get; init; }
}
