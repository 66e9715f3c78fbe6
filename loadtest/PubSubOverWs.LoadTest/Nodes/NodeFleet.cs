using System.Globalization;
using System.Text.Json;
using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.LoadTest.Load.Drain;

namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>The embedded queue and several pubsub servers that share its work, each a process.</summary>
public sealed class NodeFleet : IAsyncDisposable
{
    /// <summary>What a killed node had received comes again after so long.</summary>
    public static readonly TimeSpan VisibilityTimeout = TimeSpan.FromSeconds(10);

    // That LocalSqs knows by default.
    private const string LocalKey = "test";

    private static readonly TimeSpan Acquaintance = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(100);
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
            await fleet.WaitUntilAcquaintedAsync(time, stopping);
            return fleet;
        }
        catch
        {
            await fleet.DisposeAsync();
            throw;
        }
    }

    public Task<ClientTarget> TargetAsync(int node, CancellationToken stopping) => ClientTarget.ResolveAsync(_nodes[node].Address, stopping);

    /// <summary>A number in the queue's part of a node's <c>/stats</c>; null: it does not answer.</summary>
    public async Task<long?> StatAsync(int node, string name, CancellationToken stopping)
    {
        using var stats = new StatsReader(_nodes[node].Address);
        if (await stats.ReadAsync(stopping) is not { } json)
            return null;
        using var document = JsonDocument.Parse(json);
        return document.RootElement.GetProperty("queue").GetProperty(name).GetInt64();
    }

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

    private async Task WaitUntilAcquaintedAsync(TimeProvider time, CancellationToken stopping)
    {
        using var patience = new CancellationTokenSource(Acquaintance, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, stopping);
        try
        {
            for (var node = 0; node < _nodes.Count; node++)
            {
                while (await StatAsync(node, "nodes", either.Token) != _nodes.Count)
                    await Task.Delay(BetweenLooks, time, either.Token);
            }
        }
        catch (OperationCanceledException) when (!stopping.IsCancellationRequested)
        {
            throw new ChildException(
                $"The {_nodes.Count} servers did not find each other within {Acquaintance.TotalSeconds:0} s: look at what they wrote to their logs.", ChildException.Unreachable);
        }
    }
}
