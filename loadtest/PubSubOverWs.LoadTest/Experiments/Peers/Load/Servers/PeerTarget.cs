using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load.Servers;

/// <summary>Direct servers, an echo on Kestrel, and the servers of others, with TLS if the scenario asks for it.</summary>
public sealed class PeerTarget : Target
{
    public override string Name => PeersArms.Peer;

    public override IReadOnlyList<ServerProgram> Programs => [DirectTarget.Program];

    public override void Check(TargetUse use)
    {
        if (use.Scenario is not PeersScenario { Base.Length: > 0 } scenario)
            return;
        foreach (var arm in scenario.Arms.Where(PeersArms.IsBase))
        {
            var program = ServerProgram.In(scenario.Base, ProgramOf(arm).Command().Assembly);
            RefusalException.ThrowUnless(File.Exists(program),
                $"The arm {arm} needs {program}, which is not there: 'base' must be the folder of a build of this program, such as "
                    + "artifacts/bin/PubSubOverWs.LoadTest/release of another working copy.");
        }
    }

    public override async Task CheckAsync(TargetUse use, TimeProvider time, CancellationToken stopping)
    {
        foreach (var (arm, peer) in Peers(use))
            RefusalException.ThrowUnless(await peer.FindVersionAsync(time, stopping) is not null,
                $"The server of the arm {arm} is not here: {peer.Install}; or omit the arm.");
    }

    public override IEnumerable<string> Processes(TargetUse use) => use.Arms.Select(arm => Peer.Find(arm) is null
        ? arm.Name == PeersArms.Echo ? "echo on Kestrel" : $"{arm} server"
        : $"{arm}, as it is installed here");

    public override IEnumerable<(string Name, string Value)> Settings(TargetUse use) =>
        Peers(use).Where(one => one.Peer.Version is not null).Select(one => ($"version of {one.Arm}", one.Peer.Version!));

    public override async Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping)
    {
        var secure = ((PeersScenario)block.Plan.Scenario).Secure ? block.Keep(await SecureFiles.CreateAsync(stopping)) : null;
        var running = new List<RunningTarget>();
        foreach (var arm in arms)
        {
            running.Add(Peer.Find(arm) is { } peer
                ? await StartPeerAsync(arm, peer, secure, block, stopping)
                : await StartOwnAsync(arm, secure, block, stopping));
        }

        return running;
    }

    private static IEnumerable<(Arm Arm, Peer Peer)> Peers(TargetUse use) =>
        use.Arms.Select(arm => (arm, Peer.Find(arm))).Where(one => one.Item2 is not null)!;

    private static ServerProgram ProgramOf(Arm arm) => arm.HasQueue ? PubSubTarget.Program
        : arm.Target == PeersArms.Queue ? SqsPrograms.LocalSqs
        : DirectTarget.Program;

    private static async Task<RunningTarget> StartOwnAsync(
        Arm arm, SecureFiles? secure, BlockProcesses block, CancellationToken stopping)
    {
        var isEcho = arm.Name == PeersArms.Echo;
        var command = (isEcho ? NullEcho.ChildCommand : DirectTarget.Program.Command()) with { Name = arm.Name };
        if (secure is null)
            return await block.OpenAsync(arm, command, stopping, hasStats: !isEcho);
        var port = FreePort.Find();
        string[] settings = [.. secure.Endpoints(port), .. isEcho ? [] : secure.Users];
        var running = await block.OpenAsync(
            arm, command with { Arguments = [.. command.Arguments, .. settings] }, stopping, hasStats: false);
        var tunnel = Tunnel(secure, port, block);
        var clients = await ClientTarget.ResolveAsync(tunnel, isEcho ? ServerAccess.None : secure.Access, stopping);
        return running with { Servers = Group(new GroupMember(arm.Name, clients, Stats: null, running.Servers.Processes[0]), block) };
    }

    private static async Task<RunningTarget> StartPeerAsync(
        Arm arm, Peer peer, SecureFiles? secure, BlockProcesses block, CancellationToken stopping)
    {
        var server = await PeerServer.StartAsync(peer, FreePort.Find(), secure, block.Time, stopping);
        block.AfterServers(async () => await server.DisposeAsync());
        block.Events.Add("started", arm.Name, $"{peer.Program} {peer.Version} at {server.Address}");
        var address = secure is null ? server.Address : Tunnel(secure, server.Address.Port, block);
        var clients = await ClientTarget.ResolveAsync(address, secure?.Access ?? ServerAccess.None, stopping);
        var member = new GroupMember(arm.Name, clients, Stats: null, Process: null) { ReadUse = () => server.Use };
        return new RunningTarget(arm, Group(member, block));
    }

    private static ServerGroup Group(GroupMember member, BlockProcesses block) => block.Keep(new ServerGroup([member]));

    private static Uri Tunnel(SecureFiles secure, int port, BlockProcesses block)
    {
        var tunnel = new TlsTunnel(port, secure.Thumbprint);
        block.AfterServers(async () => await tunnel.DisposeAsync());
        return tunnel.Address;
    }
}

/// <summary>LocalSqs, to which the load itself sends, and another queue server.</summary>
public sealed class LocalSqsTarget : Target
{
    public override string Name => PeersArms.Queue;

    public override IReadOnlyList<ServerProgram> Programs => [SqsPrograms.LocalSqs];

    public override IEnumerable<string> Processes(TargetUse use) => use.Arms.Select(arm => arm.Name == PeersArms.OtherQueue
        ? $"queue server at {((PeersScenario)use.Scenario).OtherQueue} (not started by the run)"
        : $"LocalSqs ({arm})");

    public override async Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping)
    {
        var running = new List<RunningTarget>();
        foreach (var arm in arms)
        {
            running.Add(arm.Name == PeersArms.OtherQueue
                ? await ConnectAsync(arm, block, stopping)
                : await block.OpenAsync(arm, SqsPrograms.LocalSqs.Command() with { Name = arm.Name }, stopping, hasStats: false));
        }

        return running;
    }

    private static async Task<RunningTarget> ConnectAsync(Arm arm, BlockProcesses block, CancellationToken stopping)
    {
        var address = new Uri(((PeersScenario)block.Plan.Scenario).OtherQueue);
        var member = new GroupMember(arm.Name, await ClientTarget.ResolveAsync(address, stopping), Stats: null, Process: null);
        return new RunningTarget(arm, block.Keep(new ServerGroup([member])));
    }
}
