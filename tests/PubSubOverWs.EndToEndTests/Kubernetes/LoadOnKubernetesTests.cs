using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.EndToEndTests.Relay;
using PubSubOverWs.Record.Files;
using Xunit.Abstractions;

namespace PubSubOverWs.EndToEndTests.Kubernetes;

/// <summary>The manifests of docs/kubernetes/load on a cluster of three nodes: a run, and the load processes that join it.</summary>
[Collection(nameof(Cluster))]
public sealed class LoadOnKubernetesTests(ITestOutputHelper output) : IAsyncLifetime
{
    private const string Token = "a-token-that-nobody-else-can-know";

    private readonly AccessFiles _access = new("/");
    private readonly TestFolder _folder = new();

    public Task InitializeAsync() => _access.InitializeAsync();

    public Task DisposeAsync()
    {
        _folder.Dispose();
        return _access.DisposeAsync();
    }

    [FactNeeds(Needed.Cluster)]
    public async Task Three_processes_on_three_nodes_measure_and_one_that_is_lost_never_comes_or_is_of_another_build_is_named()
    {
        await using var cluster = await Cluster.OpenAsync();
        await cluster.PrepareAsync(_access);
        await cluster.RunAsync("apply", "--filename", ClusterServers.Manifests);
        await cluster.RunAsync(
            "create", "secret", "generic", "join", $"--from-literal=token={Token}", $"--from-file=passcode={_access.PasscodeFile}",
            $"--from-file=stats-token={_access.StatsTokenFile}");
        await cluster.ReadyAsync();
        var direct = Http(Assert.Single(await cluster.ServersAsync("direct")));
        var pubsub = Http((await cluster.ServersAsync("pubsub"))[0]);
        var queue = await cluster.RunAsync("get", "configmap", "queue", "--output", "jsonpath={.data.Sqs__Endpoint}");

        var paper = await MeasureAsync(
            cluster, workers: 3,
            $"paper --quick --users=30 --iterations=3 --set=warmUps=1 --direct={direct} --pubsub={pubsub} --sqs-endpoint={queue}");
        Assert.All(paper.Rows, row => Assert.Equal((30, 0L), (row.Connections, row.Buckets.Lost)));
        Assert.Equal(["direct", "pubsub"], paper.Rows.Select(row => row.Arm).Distinct().Order(StringComparer.Ordinal));

        var idle = await MeasureAsync(
            cluster, workers: 2,
            $"idle-connections --quick --arms=pubsub --pubsub={pubsub} --set=connections=60 --set=perProcess=60 --set=settle=0s "
                + "--set=idle=1s --set=every=200ms");
        Assert.All(idle.Rows, row => Assert.Equal(61, row.Connections));

        var endless = $"request-reply --quick --arms=direct --users=21 --set=rates=50 --set=for=60s --direct={direct}";
        await StartAsync(cluster, endless, workers: 2, come: 2);
        await UntilLogAsync(cluster, "load-2 from ");
        var lost = (await PodsAsync(cluster))[1];
        await cluster.RunAsync("delete", "pod", lost, "--grace-period=0", "--force");
        Assert.Matches(
            "Load process [12] of 2 at 10\\..* cannot be reached any more \\(.+\\) before it had answered '.+', so the iteration does not "
                + "count and the run ends\\.",
            await EndAsync(cluster, isGood: false));

        await cluster.RunAsync("create", "configmap", "other", "--from-literal=PubSubOverWs.Other.dll=build");
        await StartAsync(cluster, $"{endless} --join-within=20s", workers: 3, come: 2, isAnotherBuild: true);
        var alone = await EndAsync(cluster, isGood: false);
        Assert.Contains("refused a connection: it is build ", alone, StringComparison.Ordinal);
        Assert.Contains("Only 0 of 3 load processes joined within 20 s: ", alone, StringComparison.Ordinal);
        var said = await cluster.RunAsync("logs", "job/workers", "--tail=5");
        Assert.Contains(" has refused this load process: it is build ", said, StringComparison.Ordinal);
    }

    private static string Http(ServerPod server) => $"http://{new Uri(server.Address).Authority}";

    // The record of a run that must be valid.
    private async Task<RunFolder> MeasureAsync(Cluster cluster, int workers, string arguments)
    {
        await StartAsync(cluster, arguments, workers, come: workers);
        output.WriteLine(await EndAsync(cluster, isGood: true));
        var nodes = await cluster.RunAsync(
            "get", "pods", "--selector", "app.kubernetes.io/name=workers", "--output", "jsonpath={.items[*].spec.nodeName}");
        Assert.Equal(workers, nodes.Split(' ').Distinct().Count());

        var run = (await PodsAsync(cluster, "run")).Single();
        var record = Path.Combine(_folder.Path, $"{Guid.NewGuid():N}");
        await cluster.RunAsync("cp", "--container=record", $"{run}:/record/run", record);
        var read = RecordReader.Read(record);
        Assert.True(read.Run.Complete);
        Assert.Equal(workers, read.Events.Count(one => one.Kind == "joined"));
        Assert.Equal(workers * read.Rows.Count, read.Events.Count(one => one.Kind == "clock"));
        foreach (var one in read.Events.Where(one => one.Kind == "clock").Take(workers))
            output.WriteLine($"{one.Target} {one.Detail}");
        return read;
    }

    // With the addresses of pods, as a cluster may have no DNS.
    private async Task StartAsync(Cluster cluster, string arguments, int workers, int come, bool isAnotherBuild = false)
    {
        await cluster.RunAsync("delete", "job", "run", "workers", "--ignore-not-found", "--cascade=foreground", "--timeout=60s");
        string[] given =
        [
            "run", .. arguments.Split(' '), "--join-at=0.0.0.0:7400", "--token-file=/run/secrets/join/token", "--login=alice",
            "--passcode-file=/run/secrets/join/passcode", "--stats-token-file=/run/secrets/join/stats-token", "--out=/record/run",
            .. arguments.StartsWith("idle", StringComparison.Ordinal) ? [] : new[] { $"--workers={workers}" },
        ];
        var run = await ReadAsync("run.yaml");
        var from = run.IndexOf("          args:\n", StringComparison.Ordinal);
        var until = run.IndexOf("          env:\n", StringComparison.Ordinal);
        run = $"{run[..from]}          args: [{string.Join(", ", given.Select(word => $"\"{word}\""))}]\n{run[until..]}";
        await ApplyAsync(cluster, run);
        await Waiting.UntilAsync(async () => await AddressOfRunAsync(cluster) is { Length: > 0 });

        var load = (await ReadAsync("workers.yaml"))
            .Replace("completions: 3", $"completions: {come}", StringComparison.Ordinal)
            .Replace("parallelism: 3", $"parallelism: {come}", StringComparison.Ordinal)
            .Replace("https://run:7400", $"https://{await AddressOfRunAsync(cluster)}:7400", StringComparison.Ordinal);
        if (isAnotherBuild)
        {
            const string name = "PubSubOverWs.Other.dll";
            load = load
                .Replace("volumeMounts:\n", $"volumeMounts:\n            - {{name: other, mountPath: /app/{name}, subPath: {name}}}\n")
                .Replace("volumes:\n", "volumes:\n        - {name: other, configMap: {name: other}}\n");
        }
        await ApplyAsync(cluster, load);
    }

    private static async Task<string> AddressOfRunAsync(Cluster cluster) => (await cluster.RunAsync(
        "get", "pods", "--selector", "app.kubernetes.io/name=run", "--output", "jsonpath={.items[*].status.podIP}")).Trim();

    private static async Task<string[]> PodsAsync(Cluster cluster, string name = "workers") => (await cluster.RunAsync(
        "get", "pods", "--selector", $"app.kubernetes.io/name={name}", "--output", "jsonpath={.items[*].metadata.name}")).Split(' ');

    private static Task<string> ReadAsync(string name) => File.ReadAllTextAsync(Path.Combine(ClusterServers.Manifests, "load", name));

    private async Task ApplyAsync(Cluster cluster, string manifest)
    {
        var file = Path.Combine(_folder.Path, "manifest.yaml");
        await File.WriteAllTextAsync(file, manifest);
        await cluster.RunAsync("apply", "--filename", file);
    }

    private static async Task UntilLogAsync(Cluster cluster, string word) => await Waiting.UntilAsync(async () =>
    {
        var log = await cluster.RunAsync("logs", "job/run", "--container=run");
        return log.Contains(word, StringComparison.Ordinal);
    });

    // What the run said.
    private static async Task<string> EndAsync(Cluster cluster, bool isGood)
    {
        const string code = "jsonpath={.items[0].status.containerStatuses[?(@.name==\"run\")].state.terminated.exitCode}";
        var log = await cluster.RunAsync("logs", "job/run", "--container=run", "--follow");
        var ended = "";
        await Waiting.UntilAsync(async () => (ended = (await cluster.RunAsync(
            "get", "pods", "--selector", "app.kubernetes.io/name=run", "--output", code)).Trim()).Length > 0);
        Assert.True(ended == "0" == isGood, $"The run ended with {ended}:\n{log}");
        return log;
    }
}
