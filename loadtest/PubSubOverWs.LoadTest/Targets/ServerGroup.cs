using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Drain;

namespace PubSubOverWs.LoadTest.Targets;

/// <summary>
/// The servers of one arm: one, or several nodes that share the work. Users are spread over them evenly, and what they use is added up.
/// </summary>
/// <param name="members">In the order in which users are given to them; at least one.</param>
public sealed class ServerGroup(IReadOnlyList<GroupMember> members) : IDisposable
{
    public int Count => members.Count;

    /// <summary>Those of this run; none: it did not start them.</summary>
    public IReadOnlyList<ChildServer> Processes => [.. members.Select(one => one.Process).OfType<ChildServer>()];

    /// <summary>False: one has no /stats.</summary>
    public bool HasStats => members.All(one => one.Stats is not null);

    /// <summary>CPU time of all processes so far; null: this run did not start them.</summary>
    public TimeSpan? Cpu => members.Aggregate((TimeSpan?)TimeSpan.Zero, (sum, one) => sum + one.Process?.Use.Cpu);

    /// <summary>How often their processes were started in all; what a server counted before it was started again is lost.</summary>
    public int Starts => members.Sum(one => one.Process?.Starts ?? 0);

    /// <summary>True: one was started again, and counts anew from then on.</summary>
    public bool HaveForgotten => members.Any(one => one.Process?.Starts > 1);

    /// <summary>Where a user connects: one after the other to the next server.</summary>
    /// <param name="user">From 0.</param>
    public ClientTarget TargetOf(int user) => members[user % members.Count].Clients;

    /// <summary>Where the publisher of a pair connects: at the server of its user, through the next of its proxies.</summary>
    /// <param name="user">From 0.</param>
    public ClientTarget PublishingOf(int user) => Next(members[user % members.Count].Publishers, user);

    /// <summary>The same for its subscriber.</summary>
    /// <param name="user">From 0.</param>
    public ClientTarget SubscribingOf(int user) => Next(members[user % members.Count].Subscribers, user);

    /// <summary>/stats of each; null: it has none, or did not answer.</summary>
    public async Task<IReadOnlyList<string?>> ReadStatsAsync(CancellationToken cancellationToken) =>
        await Task.WhenAll(members.Select(one => one.Stats?.ReadAsync(cancellationToken) ?? Task.FromResult<string?>(null)));

    /// <summary>How many messages they hold together; null when one cannot tell.</summary>
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
