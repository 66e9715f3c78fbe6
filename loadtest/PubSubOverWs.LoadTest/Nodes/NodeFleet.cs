using System.Globalization;
using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.LoadTest.Load.Clients;

namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>The embedded queue and several pubsub servers that share its work, each a process.</summary>
public sealed class NodeFleet : IAsyncDisposable
{
    /// <summary>What a killed node had received comes again after so long.</summary>
    public static readonly TimeSpan VisibilityTimeout = TimeSpan.FromSeconds(10);

    // That LocalSqs knows by default.
    private const string LocalKey = "test";

    private readonly List<ChildServer> _nodes = [];

    private NodeFleet(ChildServer queue) => Queue = queue;

    public ChildServer Queue { get; }

    /// <summary>Also those that were killed.</summary>
    public IReadOnlyList<ChildServer> Nodes => _nodes;

    /// <summary>Completes when every node knows of all others.</summary>
    /// <exception cref="ChildException">One did not start, or they did not find each other.</exception>
    public static async Task<NodeFleet> StartAsync(int nodes, TimeProvider time, CancellationToken stopping)
    {
        var fleet = new NodeFleet(await ChildServer.StartAsync(ChildCommand.LocalSqs(), new ChildOptions(), stopping));
        try
        {
            for (var i = 0; i < nodes; i++)
                fleet._nodes.Add(await ChildServer.StartAsync(fleet.Command(), new ChildOptions(), stopping));
            await Acquaintance.WaitAsync(fleet._nodes, time, stopping);
            return fleet;
        }
        catch
        {
            await fleet.DisposeAsync();
            throw;
        }
    }

    public Task<ClientTarget> TargetAsync(int node, CancellationToken stopping) => ClientTarget.ResolveAsync(_nodes[node].Address, stopping);

    public async ValueTask DisposeAsync()
    {
        // All at once: each waits for its polls to lapse.
        await Task.WhenAll(_nodes.Select(node => node.StopAsync()));
        await Queue.DisposeAsync();
    }

    private ChildCommand Command() => ChildCommand.PubSub(
        new Dictionary<string, string> { ["Sqs__AccessKey"] = LocalKey, ["Sqs__SecretKey"] = LocalKey },
        "--Sqs:Endpoint", Queue.Address.ToString(), "--Sqs:Queue", "nodes", "--Sqs:Nodes:Enabled", "true", "--Sqs:WaitTime", "00:00:02",
        "--Sqs:VisibilityTimeout", VisibilityTimeout.ToString("c", CultureInfo.InvariantCulture));
}
