namespace PubSubOverWs.Experiment.Records;

/// <summary>What a result depends on beside the programs. Nothing here names the machine or its user.</summary>
public sealed record MachineRecord
{
    /// <summary>The source's commit; null: it is not known.</summary>
    public string? Commit { get; init; }

    public required string Os { get; init; }

    public required string Architecture { get; init; }

    public required string Cpu { get; init; }

    public required int Cores { get; init; }

    public required long MemoryBytes { get; init; }

    /// <summary>For example <c>.NET 10.0.2</c>.</summary>
    public required string Runtime { get; init; }

    /// <summary>For example <c>server, concurrent</c>.</summary>
    public required string CollectorMode { get; init; }

    /// <summary>The system's limits that matter: name and value, for example <c>open files</c>.</summary>
    public IReadOnlyDictionary<string, string> Limits { get; init; } = new SortedDictionary<string, string>();

    /// <summary>Programs and their versions.</summary>
    public IReadOnlyDictionary<string, string> Versions { get; init; } = new SortedDictionary<string, string>();
}
