using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>The figures of the embedded queue, through both clients, and beside another queue server where one was named.</summary>
/// <param name="Legs">In the order in which they ran.</param>
/// <param name="IdlePolls">Long polls that waited for nothing.</param>
/// <param name="IdleCores">Cores that LocalSqs used meanwhile: 0.01 is one percent of one.</param>
/// <param name="Queued">Messages of 100 bytes that lay in the queue at once.</param>
/// <param name="QueuedResidentBytes">Memory of the whole process with them in it.</param>
public sealed record QueueFigures(IReadOnlyList<QueueLeg> Legs, int IdlePolls, double IdleCores, long Queued, long QueuedResidentBytes)
{
    /// <summary>Messages a second through LocalSqs over those through the other, pair by pair.</summary>
    public IReadOnlyList<double> Ratios =>
        [.. Legs.Where(IsLocal).Zip(Legs.Where(leg => !IsLocal(leg)), (local, other) => local.ThroughPerSecond / other.ThroughPerSecond)];

    /// <summary>Null: no other server was named.</summary>
    public double? MedianRatio => Median.Of(Ratios.Cast<double?>());

    /// <summary>A figure through the AWS SDK over the same through our client, leg by leg. Empty: one client alone was measured.</summary>
    public IReadOnlyList<double> OfClients(Func<QueueLeg, double> figure) =>
        [.. Through(SqsClientKind.AwsSdk).Zip(Through(SqsClientKind.Http), (sdk, http) => figure(sdk) / figure(http))];

    private IEnumerable<QueueLeg> Through(SqsClientKind client) => Legs.Where(leg => leg.Client == Kebab.Of(client));

    private static bool IsLocal(QueueLeg leg) => leg.SendCpuSeconds is not null;
}
