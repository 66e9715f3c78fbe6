using System.Text.Json;
using PubSubOverWs.EndToEndTests.Relay;

namespace PubSubOverWs.EndToEndTests.Kubernetes;

/// <summary>What the manifests of docs/kubernetes need on a cluster.</summary>
internal static class ClusterServers
{
    private const string QueueKey = "0123456789-queue-key";

    // A container that asks for nothing gets next to nothing beside others.
    public static readonly object AsOurs = new { requests = new { cpu = "250m" } };

    public static readonly string Manifests = Path.Combine(AppContext.BaseDirectory, "kubernetes");

    public static Task<string> ReadyAsync(this Cluster cluster) =>
        cluster.RunAsync("wait", "--for=condition=Available", "deployment", "--all", "--timeout=60s");

    // The registry and the tag are those of the manifests.
    public static string Image(string name)
    {
        var line = File.ReadLines(Path.Combine(Manifests, "pubsub.yaml"))
            .Single(line => line.TrimStart().StartsWith("image: ", StringComparison.Ordinal));
        return line.Replace("image: ", "", StringComparison.Ordinal).Replace("/pubsub:", $"/{name}:", StringComparison.Ordinal).Trim();
    }

    // Ready when it is returned.
    public static async Task RunPodAsync(this Cluster cluster, string name, object spec)
    {
        var overrides = JsonSerializer.Serialize(new { apiVersion = "v1", spec });
        await cluster.RunAsync("run", name, $"--image={Image("client")}", "--overrides", overrides);
        await cluster.RunAsync("wait", "--for=condition=Ready", $"pod/{name}", "--timeout=60s");
    }

    // A queue, and what docs/guides/kubernetes.md has its reader make.
    public static async Task PrepareAsync(this Cluster cluster, AccessFiles access)
    {
        var queue = new
        {
            name = "localsqs",
            image = Image("loadtest"),
            command = new[] { "dotnet", "/app/servers/localsqs/PubSubOverWs.LocalSqs.dll" },
            env = new[]
            {
                new { name = "ASPNETCORE_HTTP_PORTS", value = "9324" },
                new { name = "LocalSqs__AllowNetwork", value = "true" },
                new { name = "LocalSqs__SecretKey", value = QueueKey },
            },
            resources = AsOurs,
            readinessProbe = new { httpGet = new { path = "/health", port = 9324 }, periodSeconds = 1 },
        };
        await cluster.RunPodAsync(queue.name, new { containers = new[] { queue } });
        await cluster.RunAsync(
            "create", "secret", "generic", "access", $"--from-file=users.json={access.UsersFile}",
            $"--from-file=stats-token={access.StatsTokenFile}");
        await cluster.RunAsync(
            "create", "secret", "generic", "queue",
            $"--from-literal=credentials=[default]\naws_access_key_id = test\naws_secret_access_key = {QueueKey}\n");
        var address = await cluster.RunAsync("get", "pod", "localsqs", "--output", "jsonpath={.status.podIP}");
        await cluster.RunAsync("create", "configmap", "queue", $"--from-literal=Sqs__Endpoint=http://{address}:9324");
    }
}
