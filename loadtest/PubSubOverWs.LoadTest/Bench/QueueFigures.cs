using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>What the embedded queue takes, beside another queue server where one was named.</summary>
/// <param name="Legs">In the order in which they ran.</param>
/// <param name="IdlePolls">Long polls that waited for nothing.</param>
/// <param name="IdleCores">Cores that LocalSqs used meanwhile: 0.01 is one percent of one.</param>
/// <param name="Queued">Messages of 100 bytes that lay in the queue at once.</param>
/// <param name="QueuedResidentBytes">Memory of the whole process with them in it.</param>
public sealed record QueueFigures(IReadOnlyList<QueueLeg> Legs, int IdlePolls, double IdleCores, long Queued, long QueuedResidentBytes)
{
    /// <summary>Messages a second through LocalSqs over those through the other, pair by pair.</summary>
    public IReadOnlyList<double> Ratios =>
        [.. Of(isLocal: true).Zip(Of(isLocal: false), (local, other) => local.ThroughPerSecond / other.ThroughPerSecond)];

    /// <summary>Null: no other server was named.</summary>
    public double? MedianRatio => Median.Of(Ratios.Cast<double?>());

    private IEnumerable<QueueLeg> Of(bool isLocal) => Legs.Where(leg => leg.SendCpuSeconds is not null == isLocal);
}
