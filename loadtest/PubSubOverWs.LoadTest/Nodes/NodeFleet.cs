using System.Globalization;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Network;
using PubSubOverWs.LoadTest.Network.Toxics;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Drain;
using PubSubOverWs.LoadTest.Targets.Sqs;

namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>The embedded queue and several pubsub servers that share its work, each a process.</summary>
public sealed class NodeFleet : IAsyncDisposable
{
    /// <summary>What a killed node had received comes again after so long.</summary>
    public static readonly TimeSpan VisibilityTimeout = TimeSpan.FromSeconds(10);

    // That LocalSqs knows by default.
    private const string LocalKey = "test";

    private const int ProxyConnections = 200;
    private static readonly StallToxic NothingPasses = new(TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(1));

    private readonly List<ChildServer> _nodes = [];
    private FaultProxy? _sqs;
    private FaultProxy? _sns;

    private NodeFleet(ChildServer queue) => Queue = queue;

    public ChildServer Queue { get; }

    /// <summary>Also those that were killed.</summary>
    public IReadOnlyList<ChildServer> Nodes => _nodes;

    /// <summary>Completes when every node knows of all others.</summary>
    /// <exception cref="ChildException">One did not start, or they did not find each other.</exception>
    /// <param name="nodes">How many.</param>
    /// <param name="fault">What the first is to be ready for.</param>
    /// <param name="time">The clock.</param>
    /// <param name="stopping">Ends the start.</param>
    public static async Task<NodeFleet> StartAsync(int nodes, NodeFault fault, TimeProvider time, CancellationToken stopping)
    {
        var deployment = new NodeFleet(await ChildServer.StartAsync(SqsPrograms.LocalSqs.Command(), new ChildOptions(), stopping));
        try
        {
            if (fault is not (NodeFault.Kill or NodeFault.Pause))
            {
                deployment._sqs = await FaultProxy.StartAsync(deployment.Queue.Address, ProxyConnections, new ChildOptions(), stopping);
                deployment._sns = await FaultProxy.StartAsync(deployment.Queue.Address, ProxyConnections, new ChildOptions(), stopping);
            }
            for (var i = 0; i < nodes; i++)
                deployment._nodes.Add(await ChildServer.StartAsync(deployment.Command(i, fault), new ChildOptions(), stopping));
            await ClusterReadiness.WaitAsync(deployment._nodes, time, stopping);
            return deployment;
        }
        catch
        {
            await deployment.DisposeAsync();
            throw;
        }
    }

    public Task<ClientTarget> TargetAsync(int node, CancellationToken stopping) =>
        ClientTarget.ResolveAsync(_nodes[node].Address, stopping);

    /// <summary>From now on this is wrong with a node. Not for <see cref="NodeFault.Kill"/>, which has no end.</summary>
    public async Task BeginAsync(int node, NodeFault fault, CancellationToken stopping)
    {
        switch (fault)
        {
            case NodeFault.Pause when !OperatingSystem.IsWindows():
                _nodes[node].Pause();
                break;
            case NodeFault.SnsCut:
                await _sns!.StallAsync(stopping);
                break;
            case NodeFault.SqsCut:
                await _sqs!.StallAsync(stopping);
                break;
            case NodeFault.SqsRequestsCut:
                await _sqs!.SetAsync([NothingPasses with { Direction = Direction.ToServer }], seed: 1, stopping);
                break;
            case NodeFault.SqsAnswersCut:
                await _sqs!.SetAsync([NothingPasses with { Direction = Direction.ToClient }], seed: 1, stopping);
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(fault), fault, "This fault does not begin and end on this system.");
        }
    }

    /// <summary>It is well again.</summary>
    public async Task EndAsync(int node, NodeFault fault, CancellationToken stopping)
    {
        if (fault == NodeFault.Pause && !OperatingSystem.IsWindows())
            _nodes[node].Resume();
        if (_sqs is not null)
            await _sqs.CalmAsync(stopping);
        if (_sns is not null)
            await _sns.CalmAsync(stopping);
    }

    public async ValueTask DisposeAsync()
    {
        // All at once: each waits for its polls to lapse.
        await Task.WhenAll(_nodes.Select(node => node.StopAsync()));
        if (_sqs is not null)
            await _sqs.DisposeAsync();
        if (_sns is not null)
            await _sns.DisposeAsync();
        await Queue.DisposeAsync();
    }

    // With a fault that ends, the others wait for less before they act, so that it need not last long.
    private ChildCommand Command(int node, NodeFault fault) => SqsPrograms.PubSub.Command(
        new Dictionary<string, string> { ["Sqs__AccessKey"] = LocalKey, ["Sqs__SecretKey"] = LocalKey },
        "--Sqs:Endpoint", (node == 0 ? _sqs : null)?.Address.ToString() ?? Queue.Address.ToString(),
        "--Sqs:SnsEndpoint", (node == 0 ? _sns : null)?.Address.ToString() ?? Queue.Address.ToString(),
        "--Sqs:Nodes:AnnounceEvery", fault == NodeFault.Kill ? "00:00:02" : "00:00:00.500", "--Sqs:Nodes:DeadAfter",
        fault == NodeFault.Kill ? "00:00:10" : "00:00:03",
        "--Sqs:Nodes:DeleteAfter", fault == NodeFault.Kill ? "00:02:00" : "00:01:00", "--Sqs:Queue", "nodes", "--Sqs:Nodes:Enabled", "true",
        "--Sqs:WaitTime", "00:00:02",
        "--Sqs:VisibilityTimeout", VisibilityTimeout.ToString("c", CultureInfo.InvariantCulture));
}
