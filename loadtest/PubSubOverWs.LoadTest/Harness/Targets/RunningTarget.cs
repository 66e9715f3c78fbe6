using PubSubOverWs.LoadTest.Harness.Browser;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>The running servers and processes of an arm, for its trials.</summary>
/// <param name="Servers">Where its users connect.</param>
public sealed record RunningTarget(Arm Arm, ServerGroup Servers)
{
    /// <summary>Null: it has none.</summary>
    public QueueBehind? Queue { get; init; }

    /// <summary>Fault proxies between clients and its servers.</summary>
    public IReadOnlyList<FaultProxy> Proxies { get; init; } = [];

    /// <summary>Processes of this run that are idle meanwhile.</summary>
    public IReadOnlyList<ChildServer> Idle { get; init; } = [];

    /// <summary>All fault proxies of this run: their CPU time is part of the load.</summary>
    public IReadOnlyList<ChildServer> ProxyProcesses { get; init; } = [];

    /// <summary>Processes that have the clients, whose CPU time is the load's; empty: this program has them.</summary>
    public IReadOnlyList<ChildServer> LoadProcesses { get; init; } = [];

    /// <summary>The page that has the clients, whose CPU time is part of the load, too; null: this program has them.</summary>
    public BrowserPage? Page { get; init; }

    /// <summary>The disturbance of the next iteration; null: none.</summary>
    public IDisturbance? Disturbance { get; init; }
}

/// <summary>Faults of servers, queue and network during one iteration. Called in this order, each once.</summary>
public interface IDisturbance
{
    /// <summary>Fault actions that were carried out so far.</summary>
    int Actions { get; }

    /// <summary>From the end of a fault of a node until the node was ready again; null: there was none.</summary>
    TimeSpan? ReadyAgain { get; }

    /// <summary>Begins what lasts as long as the iteration. All users are connected, and nothing was sent yet.</summary>
    Task BeginAsync(CancellationToken cancellationToken);

    /// <summary>
    /// The first message is due now. Completes when all fault actions were done and undone, the time over which messages are due has
    /// passed, and servers and queue can be used as before.
    /// </summary>
    Task RunAsync(CancellationToken cancellationToken);
}
