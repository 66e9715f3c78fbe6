using PubSubOverWs.LoadTest.Processes;

namespace PubSubOverWs.LoadTest.Bench.Peers;

/// <summary>A server that can be measured: one of ours, the echo, or a peer that is here.</summary>
/// <param name="Name">In the table.</param>
/// <param name="StartAsync">Starts it on a free loopback port.</param>
/// <param name="Dialect">Makes what one connection speaks.</param>
internal sealed record Contender(
    string Name, Func<CancellationToken, Task<IServerUnderLoad>> StartAsync, Func<IDialect> Dialect)
{
    public bool IsOurs => PeerRow.Ours.Contains(Name);

    /// <summary>All of the plan, ours first, and their state: peers that are missing have no contender.</summary>
    public static async Task<(IReadOnlyList<Contender> Here, IReadOnlyList<PeerState> States)> FindAsync(
        PeersPlan plan, TimeProvider time, CancellationToken cancellationToken)
    {
        List<Contender> here =
        [
            .. PeerRow.Ours.Select(frontEnd => new Contender(
                frontEnd, async stopping => await BenchChildren.StartDirectAsync(PeersPlan.Of(frontEnd), stopping), StompDialect.Create)),
            new(
                PeerList.Echo, async stopping => await BenchChildren.StartEchoAsync(stopping),
                () => new EchoDialect(plan.PayloadBytes)),
        ];
        List<PeerState> states = [.. here.Select(one => new PeerState(one.Name, null, null))];
        var named = PeerRow.All.Where(plan.Has).SelectMany(row => row.Peers).ToHashSet();
        Peer[] peers = [PeerList.Nats, PeerList.Mosquitto, PeerList.Nchan, PeerList.Ws(plan.PayloadBytes)];
        foreach (var peer in peers.Where(peer => named.Contains(peer.Name)))
        {
            var version = await peer.FindVersionAsync(time, cancellationToken);
            states.Add(new PeerState(peer.Name, version, version is null ? peer.Missing : null));
            if (version is not null)
                here.Add(new Contender(
                    peer.Name, async stopping => await PeerServer.StartAsync(peer, time, stopping), peer.Dialect));
        }

        return (here, states);
    }
}
