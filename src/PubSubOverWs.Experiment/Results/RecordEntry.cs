using PubSubOverWs.Experiment.Predictions;

namespace PubSubOverWs.Experiment.Results;

/// <summary>One record in a list.</summary>
/// <param name="Folder">As it was found.</param>
/// <param name="Started">UTC; null: a damaged record whose name does not tell either.</param>
/// <param name="Line">What it is and what it found; or why it cannot be read.</param>
/// <param name="Damaged">It cannot be read.</param>
public sealed record RecordEntry(string Folder, DateTimeOffset? Started, string Line, bool Damaged)
{
    /// <summary>Whether pubsub loses less, level by level, of a run under a fault; empty of any other.</summary>
    public IReadOnlyList<LessLoss> PubSubLosesLess { get; init; } = [];
}
