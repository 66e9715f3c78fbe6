using System.Diagnostics;
using System.Globalization;
using PubSubOverWs.EndToEndTests.Relay;
using Xunit.Abstractions;

namespace PubSubOverWs.EndToEndTests.Kubernetes;

/// <summary>The manifests of docs/kubernetes, as they are, on a cluster of three nodes.</summary>
[Collection(nameof(Cluster))]
public sealed class KubernetesTests(ITestOutputHelper output) : IAsyncLifetime
{
    private const int Before = 100;
    private const int After = 100;
    private const int AtLeast = 500;

    // What the manifests give a server to stop: at its end it would be killed. How long it takes is said and not judged, as a busy machine
    // starts and stops pods slowly.
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(40);

    private readonly AccessFiles _access = new("/");

    public Task InitializeAsync() => _access.InitializeAsync();

    [FactNeeds(Needed.Cluster)]
    public async Task Clients_on_two_nodes_lose_nothing_that_was_acknowledged_while_a_pod_is_deleted()
    {
        await using var cluster = await Cluster.OpenAsync();
        await cluster.PrepareAsync(_access);
        var ready = await TimeAsync(async () =>
        {
            await cluster.RunAsync("apply", "--filename", ClusterServers.Manifests);
            await cluster.ReadyAsync();
        });
        Say($"ready after {ready.TotalSeconds:F1} s");
        var servers = await cluster.ServersAsync("pubsub");
        Assert.True(
            servers.Select(server => server.Node).Distinct().Count() == 2,
            $"Pods are not on two nodes:\n{await cluster.RunAsync("get", "events", "--output", "wide")}\n"
                + await cluster.RunAsync("describe", "nodes"));
        var direct = Assert.Single(await cluster.ServersAsync("direct"));

        await Task.WhenAll(servers.Select(server => cluster.RunPodAsync(Name(server.Node), new
        {
            nodeName = server.Node,
            terminationGracePeriodSeconds = 0,
            containers = new[] { new { name = "client", image = ClusterServers.Image("client"), resources = ClusterServers.AsOurs } },
        })));
        await using (var client = Connect(cluster, servers[0].Node, direct.Address))
        {
            await client.AllowAsync(10);
            await Waiting.UntilAsync(() => client.Taken.Count == 20 && client.Received.Count == 20);
        }

        await using var moving = Connect(cluster, servers[0].Node, servers[0].Address, servers[1].Address);
        await using var staying = Connect(cluster, servers[1].Node, servers[1].Address, servers[0].Address);
        PodClient[] clients = [moving, staying];
        await Waiting.UntilAsync(() => clients.All(client => client.Connections.Length == 1));
        await Task.WhenAll(clients.Select(client => client.AllowAsync(Before)));
        await Waiting.UntilAsync(
            () => clients.All(client => client.Taken.Count == 2 * Before && Topics(client.Received).Count == 2 * Before));
        Assert.Equal(servers.Select(server => server.Address), clients.Select(client => Assert.Single(client.Connections)));

        await Task.WhenAll(clients.Select(client => client.AllowAsync(int.MaxValue)));
        var deleted = Stopwatch.GetTimestamp();
        await cluster.RunAsync("delete", "pod", servers[0].Name);
        var gone = Stopwatch.GetElapsedTime(deleted);
        ServerPod[] after = [];
        await Waiting.UntilAsync(async () => (after = await cluster.ServersAsync("pubsub")).Length == 2);
        var replaced = Stopwatch.GetElapsedTime(deleted);
        Say($"gone after {gone.TotalSeconds:F1} s, replaced after {replaced.TotalSeconds:F1} s");
        Assert.DoesNotContain(servers[0].Name, after.Select(server => server.Name));
        Assert.Equal(2, after.Select(server => server.Node).Distinct().Count());
        await Waiting.UntilAsync(() => moving.Connections.Length == 2);
        await Waiting.UntilAsync(() => clients.All(client => client.Taken.Count >= 2 * (AtLeast - After)));

        var further = clients.Max(client => client.Taken.Count / 2) + After;
        var last = await Task.WhenAll(clients.Select(client => client.AllowAsync(further)));
        await Waiting.UntilAsync(() => clients.Zip(last).All(one => one.First.Taken.Count == 2 * one.Second.Allowed));
        var taken = clients.SelectMany(client => client.Taken).ToArray();
        await Waiting.UntilAsync(() => clients.SelectMany(client => client.Received).ToHashSet().IsSupersetOf(taken));
        // A subscriber that stays connected misses nothing of a topic; one that had to come back, nothing of the time when it was there.
        await Waiting.UntilAsync(() => Topics(staying.Received).IsSupersetOf(Topics(taken)));
        var present = Topics(taken).Where(id => clients.Select((client, i) => (Name(servers[i].Node), last[i].Published))
            .Any(one => id.Contains($" {one.Item1} ") && Number(id) is var number && (number <= Before || number > one.Published)));
        await Waiting.UntilAsync(() => present.All(moving.Received.Contains));

        var received = clients.SelectMany(client => client.Received).ToHashSet();
        Say($"acknowledged: {taken.Length - Topics(taken).Count} to the queue, {Topics(taken).Count} to the topic");
        Say($"received: {received.Count - Topics(received).Count} from the queue");
        Say($"from the topic: {Topics(staying.Received).Count} by the client that stayed, {Topics(moving.Received).Count} by the other");
        Say($"received again by the same client: {clients.Sum(client => client.Repeated)}");
        Assert.Empty(clients.SelectMany(client => client.Errors));
        Assert.InRange(gone, TimeSpan.Zero, Limit);
    }

    public Task DisposeAsync() => _access.DisposeAsync();

    private void Say(FormattableString line) => output.WriteLine(line.ToString(CultureInfo.InvariantCulture));

    private static HashSet<string> Topics(IEnumerable<string> ids) =>
        [.. ids.Where(id => id.StartsWith("/topic/", StringComparison.Ordinal))];

    private static int Number(string id) => int.Parse(id.Split(' ')[2], CultureInfo.InvariantCulture);

    private static string Name(string node) => $"client-{node}";

    private static async Task<TimeSpan> TimeAsync(Func<Task> step)
    {
        var start = Stopwatch.GetTimestamp();
        await step();
        return Stopwatch.GetElapsedTime(start);
    }

    private static PodClient Connect(Cluster cluster, string node, params string[] servers) =>
        PodClient.Start(cluster, Name(node), "alice", AccessFiles.Passcode, servers);
}
