using System.Diagnostics;
using System.Text.Json.Nodes;

namespace PubSubOverWs.EndToEndTests.Kubernetes;

/// <summary>What a Service leads to: a pod that is ready.</summary>
internal sealed record ServerPod(string Name, string Node, string Address);

/// <summary>A namespace of a test's own on a cluster, asked and changed with kubectl; it is deleted afterwards.</summary>
internal sealed class Cluster : IAsyncDisposable
{
    public const string Variable = "KUBERNETES_TEST_CONFIG";

    private const string Ours = "app.kubernetes.io/part-of=pubsuboverws";

    private readonly string _namespace = $"pubsuboverws-{Guid.NewGuid():N}"[..20];

    private Cluster()
    {
    }

    /// <summary>The kubeconfig of the cluster, never the one that kubectl would take by itself; null: there is none.</summary>
    public static string? Config => Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } path ? path : null;

    public static async Task<Cluster> OpenAsync()
    {
        var cluster = new Cluster();
        // For some moments a node that has become ready is still tainted, and pods are not spread over it.
        string[] taints = ["get", "nodes", "--output", "jsonpath={.items[*].spec.taints[*].key}"];
        await Waiting.UntilAsync(
            async () => !(await cluster.RunAsync(taints)).Contains("node.kubernetes.io/", StringComparison.Ordinal),
            "no node is tainted as not ready");
        await cluster.RunAsync("create", "namespace", cluster._namespace);
        await cluster.RunAsync("wait", "--for=create", "serviceaccount/default", "--timeout=30s");
        return cluster;
    }

    /// <returns>What kubectl wrote.</returns>
    /// <exception cref="Xunit.Sdk.XunitException">It failed; the message has what it said, and how the pods are.</exception>
    public async Task<string> RunAsync(params string[] arguments)
    {
        var (exitCode, output) = await TryAsync(arguments);
        if (exitCode != 0)
        {
            string[][] questions = [["get", "pods", "--output", "wide"], ["get", "events"], ["logs", "--selector", Ours, "--tail", "20"]];
            foreach (var question in questions)
                output += (await TryAsync(question)).Output;
            Assert.Fail($"kubectl {string.Join(' ', arguments)}: {output}");
        }
        return output;
    }

    /// <summary>Starts a kubectl that is spoken to.</summary>
    public Process Start(params string[] arguments)
    {
        var start = new ProcessStartInfo("kubectl", ["--kubeconfig", Config!, "--namespace", _namespace, .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        return Process.Start(start)!;
    }

    /// <summary>Those that the cluster would lead a client of the Service to.</summary>
    public async Task<ServerPod[]> ServersAsync(string service)
    {
        var slices = await RunAsync("get", "endpointslices", "--selector", $"kubernetes.io/service-name={service}", "--output", "json");
        return
        [
            .. from slice in JsonNode.Parse(slices)!["items"]!.AsArray()
               from endpoint in slice["endpoints"]?.AsArray() ?? []
               where (bool?)endpoint["conditions"]!["ready"] == true
               let address = $"ws://{endpoint["addresses"]![0]}:{slice["ports"]![0]!["port"]}/ws"
               select new ServerPod((string)endpoint["targetRef"]!["name"]!, (string)endpoint["nodeName"]!, address),
        ];
    }

    private async Task<(int ExitCode, string Output)> TryAsync(string[] arguments)
    {
        using var kubectl = Start(arguments);
        kubectl.StandardInput.Close();
        var error = kubectl.StandardError.ReadToEndAsync();
        var output = await kubectl.StandardOutput.ReadToEndAsync();
        await kubectl.WaitForExitAsync();
        return (kubectl.ExitCode, kubectl.ExitCode == 0 ? output : output + await error);
    }

    public async ValueTask DisposeAsync() => await RunAsync("delete", "namespace", _namespace, "--timeout=60s");
}
