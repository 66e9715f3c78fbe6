using PubSubOverWs.LoadTest.Harness.Browser;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Workers;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>The servers of one arm: one, or several nodes that share the work. Users are spread over them evenly.</summary>
/// <param name="members">In the order in which users are assigned to them; at least one.</param>
public sealed class ServerGroup(IReadOnlyList<GroupMember> members) : IDisposable
{
    public int Count => members.Count;

    public IReadOnlyList<GroupMember> Members => members;

    /// <summary>The processes that this run started; empty: none.</summary>
    public IReadOnlyList<ChildServer> Processes => [.. members.Select(one => one.Process).OfType<ChildServer>()];

    public bool HasStats => members.All(one => one.Stats is not null);

    /// <summary>CPU time of all processes so far; null: this run does not know them.</summary>
    public TimeSpan? Cpu => members.Aggregate((TimeSpan?)TimeSpan.Zero, (sum, one) => sum + one.Use?.Cpu);

    /// <summary>Resident memory of all processes now; null: this run does not know them.</summary>
    public long? ResidentBytes => members.Aggregate((long?)0, (sum, one) => sum + one.Use?.ResidentBytes);

    /// <summary><see cref="ResidentBytes"/> when the processes of the block had started, before any client of any arm.</summary>
    public long? ResidentBytesBefore { get; private set; }

    /// <summary>Every process of the block has started, and no client has connected.</summary>
    public void ReadBefore() => ResidentBytesBefore = ResidentBytes;

    /// <summary>The number of process starts. A restarted server has lost its counts.</summary>
    public int Starts => members.Sum(one => one.Process?.Starts ?? 0);

    /// <summary>True: one was restarted, and lost its counts.</summary>
    public bool HaveForgotten => members.Any(one => one.Process?.Starts > 1);

    /// <summary>Where users connect, in the order in which they are assigned.</summary>
    public IReadOnlyList<ClientTarget> Targets => [.. members.Select(one => one.Clients)];

    /// <summary>Where a user connects: each to the next server.</summary>
    /// <param name="user">From 0.</param>
    public ClientTarget TargetOf(int user) => members[user % members.Count].Clients;

    /// <summary>Where the publisher of a pair connects: to the server of its user, through the next of its proxies.</summary>
    /// <param name="user">From 0.</param>
    public ClientTarget PublishingOf(int user) => Next(members[user % members.Count].Publishers, user);

    /// <summary>The same for its subscriber.</summary>
    /// <param name="user">From 0.</param>
    public ClientTarget SubscribingOf(int user) => Next(members[user % members.Count].Subscribers, user);

    /// <summary>/stats of each server; null: it has none, or did not answer.</summary>
    public async Task<IReadOnlyList<string?>> ReadStatsAsync(CancellationToken cancellationToken) =>
        await Task.WhenAll(members.Select(one => one.Stats?.ReadAsync(cancellationToken) ?? Task.FromResult<string?>(null)));

    /// <summary>The number of messages that they hold together; null: unknown.</summary>
    public async Task<long?> HeldAsync(CancellationToken cancellationToken) =>
        (await ReadStatsAsync(cancellationToken)).Aggregate((long?)0, (sum, json) => sum + (json is null ? null : StatsReader.Held(json)));

    /// <summary>Two readings of <see cref="ReadStatsAsync"/>, by server.</summary>
    public IReadOnlyList<ServerStats> Between(IReadOnlyList<string?> before, IReadOnlyList<string?> after) =>
        [.. members.Select((one, i) => new ServerStats(one.Name, before[i], after[i]))];

    public void Dispose()
    {
        foreach (var one in members)
            one.Stats?.Dispose();
    }

    private ClientTarget Next(IReadOnlyList<ClientTarget> targets, int user) => targets[user / members.Count % targets.Count];
}

/// <summary>One server of a <see cref="ServerGroup"/>.</summary>
/// <param name="Name">In the record: its arm, or <c>pubsub-1</c> and so on if the arm has several.</param>
/// <param name="Stats">Null: it has none (the null echo). Disposed with the group.</param>
/// <param name="Process">Null: this run did not start it.</param>
public sealed record GroupMember(string Name, ClientTarget Clients, StatsReader? Stats, ChildServer? Process)
{
    /// <summary>Reads what processes have used that are no servers of the program; null: none may be measured.</summary>
    public Func<ProcessUse?>? ReadUse { get; init; }

    /// <summary>What its process has used; null: it is not known.</summary>
    public ProcessUse? Use => Process?.Use ?? ReadUse?.Invoke();

    /// <summary>Where the publishers of pairs connect, in turn: the server itself, or its fault proxies.</summary>
    public IReadOnlyList<ClientTarget> Publishers { get; init; } = [Clients];

    /// <summary>The same for their subscribers.</summary>
    public IReadOnlyList<ClientTarget> Subscribers { get; init; } = [Clients];
}

/// <summary>The running servers and processes of an arm, for its trials.</summary>
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
    public IReadOnlyList<ILoadProcess> LoadProcesses { get; init; } = [];

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
