using System.Text.Json.Serialization;

namespace PubSubOverWs.Experiment.Records;

/// <summary>What stood against what, and how it was set.</summary>
public sealed record SetUp
{
    /// <summary>
    /// True: the run started the servers, and afresh for each block. False: they were already there, and all is one block.
    /// </summary>
    public required bool OwnServers { get; init; }

    /// <summary>True: load and servers shared this machine.</summary>
    public required bool SharedMachine { get; init; }

    /// <summary>For example <c>LocalSqs (in memory, a process of this run)</c> or <c>SQS, eu-west-1</c>.</summary>
    public required string Queue { get; init; }

    /// <summary>
    /// By what the pubsub servers that the run started called their queue: <c>aws-sdk</c> or <c>http</c>. Null: the run started none, or it
    /// was made before this was recorded, when all used <c>http</c>.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? SqsClient { get; init; }

    /// <summary>The servers' settings that were not left alone, secrets masked: name and value.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = new SortedDictionary<string, string>();

    /// <summary>The cores each process was found on when it was asked, not what was ordered. Empty: nothing was pinned.</summary>
    public IReadOnlyList<PinnedProcess> Pinned { get; init; } = [];

    /// <summary>Why nothing was pinned although the scenario wanted it; null: it was, or was not wanted.</summary>
    public string? NotPinnedBecause { get; init; }
}

/// <summary>A process and the cores that all of its threads may run on.</summary>
/// <param name="Process">For example <c>direct</c>, <c>queue</c>, <c>load</c>.</param>
/// <param name="Cores">As the system lists them: <c>0</c>, <c>1-3</c>.</param>
public sealed record PinnedProcess(string Process, string Cores);
