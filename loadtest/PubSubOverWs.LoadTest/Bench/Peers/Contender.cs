using PubSubOverWs.LoadTest.Harness.Processes;

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
        PeersPlan plan, SecureFiles? secure, TimeProvider time, CancellationToken cancellationToken)
    {
        List<Contender> here =
        [
            .. PeerRow.Ours.Select(frontEnd => new Contender(
                frontEnd,
                stopping => StartOursAsync(secure, secure?.Users ?? [], settings => BenchChildren.StartDirectAsync(
                    PeersPlan.Of(frontEnd), environment: null, settings, stopping)),
                StompDialect.Create)),
            new(
                PeerList.Echo, stopping => StartOursAsync(secure, [], settings => BenchChildren.StartEchoAsync(settings, stopping)),
                () => new EchoDialect(plan.PayloadBytes)),
        ];
        List<PeerState> states = [.. here.Select(one => new PeerState(one.Name, null, null))];
        var named = PeerRow.All.Where(plan.Has).SelectMany(row => row.Peers).ToHashSet();
        Peer[] peers = [PeerList.Nats, PeerList.Mosquitto, PeerList.Nchan, PeerList.Ws(plan.PayloadBytes)];
        foreach (var peer in peers.Where(peer => named.Contains(peer.Name)))
        {
            var version = await peer.FindVersionAsync(time, cancellationToken);
            var missing = secure is not null && peer != PeerList.Nats ? "not measured with TLS" : version is null ? peer.Missing : null;
            states.Add(new PeerState(peer.Name, version, missing));
            if (missing is null)
                here.Add(new Contender(peer.Name, stopping => StartPeerAsync(peer, secure, time, stopping), peer.Dialect));
        }

        return (here, states);
    }

    private static async Task<IServerUnderLoad> StartOursAsync(
        SecureFiles? secure, string[] settings, Func<string[], Task<ChildServer>> startAsync) => secure is null
        ? await startAsync(settings)
        : await SecureServer.StartAsync(secure, async port => await startAsync([.. secure.Endpoints(port), .. settings]));

    private static async Task<IServerUnderLoad> StartPeerAsync(
        Peer peer, SecureFiles? secure, TimeProvider time, CancellationToken cancellationToken)
    {
        return secure is null ? await StartAsync(FreePort.Find()) : await SecureServer.StartAsync(secure, StartAsync);

        async Task<IServerUnderLoad> StartAsync(int port) => await PeerServer.StartAsync(peer, port, secure, time, cancellationToken);
    }
}
