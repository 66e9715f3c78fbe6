using PubSubOverWs.Experiment.Design;
using PubSubOverWs.LoadTest.Network;
using PubSubOverWs.LoadTest.Processes;

namespace PubSubOverWs.LoadTest.Targets;

/// <summary>An arm in a block, against which its trials are run.</summary>
/// <param name="Arm">Which.</param>
/// <param name="Servers">Where its users connect.</param>
public sealed record RunningTarget(Arm Arm, ServerGroup Servers)
{
    /// <summary>Null: it has none.</summary>
    public QueueBehind? Queue { get; init; }

    /// <summary>Fault proxies between clients and its servers.</summary>
    public IReadOnlyList<FaultProxy> Proxies { get; init; } = [];

    /// <summary>Processes of this run that wait for their turn meanwhile.</summary>
    public IReadOnlyList<ChildServer> Idle { get; init; } = [];

    /// <summary>All fault proxies of this run: what they use is part of the load.</summary>
    public IReadOnlyList<ChildServer> ProxyProcesses { get; init; } = [];

    /// <summary>The disturbance of the next iteration; null: none.</summary>
    public IDisturbance? Disturbance { get; init; }
}

/// <summary>What is done to servers, queue and network from outside while one iteration runs. Called in this order, each once.</summary>
public interface IDisturbance
{
    /// <summary>All users are in, and nothing was sent: what lasts as long as the iteration begins.</summary>
    Task BeginAsync(CancellationToken cancellationToken);

    /// <summary>
    /// The first message is due now. Completes when all that has a moment of its own was done and undone, the time over which messages are
    /// due has passed, and everything was taken back: servers and queue can be used as before.
    /// </summary>
    Task PlayAsync(CancellationToken cancellationToken);
}
