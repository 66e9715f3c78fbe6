using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Drain;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>One server of a <see cref="ServerGroup"/>.</summary>
/// <param name="Name">In the record: its arm, or <c>pubsub-1</c> and so on where the arm has several.</param>
/// <param name="Clients">Where users connect.</param>
/// <param name="Stats">Its /stats; null: it has none (the null echo). Disposed with the group.</param>
/// <param name="Process">Null: this run did not start it.</param>
public sealed record GroupMember(string Name, ClientTarget Clients, StatsReader? Stats, ChildServer? Process)
{
    /// <summary>Where the publishers of pairs connect, in turn: the server itself, or fault proxies before it.</summary>
    public IReadOnlyList<ClientTarget> Publishers { get; init; } = [Clients];

    /// <summary>The same for their subscribers.</summary>
    public IReadOnlyList<ClientTarget> Subscribers { get; init; } = [Clients];
}
