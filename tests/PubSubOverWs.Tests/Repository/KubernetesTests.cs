using System.Xml.Linq;
using k8s;
using k8s.Models;
using Microsoft.Extensions.Hosting;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using YamlDotNet.Core;

namespace PubSubOverWs.Tests.Repository;

/// <summary>The manifests of docs/kubernetes, read strictly and held against the code: nothing here asks a cluster.</summary>
public sealed class KubernetesTests
{
    public static TheoryData<string> Servers { get; } = ["direct", "pubsub"];

    [Fact]
    public void There_is_one_manifest_for_each_server_and_each_side_of_a_load() =>
        Assert.Equal(
            [
                "docs/kubernetes/direct.yaml", "docs/kubernetes/load/run.yaml", "docs/kubernetes/load/workers.yaml",
                "docs/kubernetes/pubsub.yaml",
            ],
            SourceTree.Files("docs/kubernetes", ".yaml", ".yml"));

    [Fact]
    public void A_load_process_finds_the_run_by_its_service_and_both_have_one_token_and_the_image_of_the_build()
    {
        var run = Load(SourceTree.Read("docs/kubernetes/load/run.yaml"));
        var service = Assert.IsType<V1Service>(run[1]);
        var job = Assert.IsType<V1Job>(run[0]).Spec;
        var workers = Assert.IsType<V1Job>(Assert.Single(Load(SourceTree.Read("docs/kubernetes/load/workers.yaml")))).Spec;
        var measuring = job.Template.Spec.Containers[0];
        var loading = Assert.Single(workers.Template.Spec.Containers);

        Assert.Contains($"--join=https://{service.Metadata.Name}:{Assert.Single(service.Spec.Ports).Port}", loading.Args);
        Assert.Contains($"--join-at=0.0.0.0:{Assert.Single(measuring.Ports).ContainerPort}", measuring.Args);
        Assert.Equal(measuring.Ports[0].Name, (string)service.Spec.Ports[0].TargetPort);
        Assert.Equal(
            service.Spec.Selector, job.Template.Metadata.Labels.Where(one => service.Spec.Selector.ContainsKey(one.Key)).ToDictionary());
        Assert.Contains($"--workers={workers.Completions}", measuring.Args);
        Assert.Equal(workers.Completions, workers.Parallelism);
        // One that is lost ends the run: another would not be its equal.
        Assert.All([job, workers], one => Assert.Equal((0, "Never"), (one.BackoffLimit, one.Template.Spec.RestartPolicy)));
        Assert.Single(measuring.Args.Intersect(loading.Args), arg => arg.StartsWith("--token-file=", StringComparison.Ordinal));
        var image = Server(Read("direct").Deployment).Image.Replace("/direct:", "/loadtest:", StringComparison.Ordinal);
        Assert.Equal([image, image], [measuring.Image, loading.Image]);
        Assert.Contains(
            $"docker build --target loadtest --tag {image} .", SourceTree.Read("docs/guides/machines.md"), StringComparison.Ordinal);
        Assert.All(
            job.Template.Spec.Containers.Append(loading), one => Assert.True(one.SecurityContext is { ReadOnlyRootFilesystem: true }));
        Assert.All([job, workers], one => Assert.True(one.Template.Spec.SecurityContext.RunAsNonRoot));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public void A_service_leads_to_the_port_of_its_server(string name)
    {
        var (deployment, service) = Read(name);
        var labels = deployment.Spec.Template.Metadata.Labels;
        var port = Assert.Single(Server(deployment).Ports);

        Assert.All(
            [deployment.Spec.Selector.MatchLabels, service.Spec.Selector],
            selector => Assert.Equal(name, labels[Assert.Single(selector, label => labels[label.Key] == label.Value).Key]));
        Assert.Equal(port.Name, (string)Assert.Single(service.Spec.Ports).TargetPort);
        Assert.Equal(DockerStage.All[name].Port, $"{port.ContainerPort}");
        Assert.Equal(DockerStage.All[name].Port, Setting(deployment, "ASPNETCORE_HTTP_PORTS"));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public void A_server_has_users_from_a_secret_is_asked_whether_it_is_ready_and_may_write_nothing(string name)
    {
        var (deployment, _) = Read(name);
        var pod = deployment.Spec.Template.Spec;
        var server = Server(deployment);
        var access = pod.Volumes.Single(volume => volume.Secret?.SecretName == "access");
        var folder = server.VolumeMounts.Single(mount => mount.Name == access.Name).MountPath;

        Assert.Equal($"{folder}/users.json", Setting(deployment, $"Access__{nameof(AccessOptions.UsersFile)}"));
        Assert.Equal($"{folder}/stats-token", Setting(deployment, $"Access__{nameof(AccessOptions.StatsTokenFile)}"));
        Assert.Equal("/health/ready", server.ReadinessProbe.HttpGet.Path);
        Assert.True(pod.SecurityContext.RunAsNonRoot);
        Assert.All(pod.Volumes, volume => Assert.Equal(Convert.ToInt32("440", 8), volume.Secret.DefaultMode));
        Assert.True(server.SecurityContext.ReadOnlyRootFilesystem);
        Assert.False(server.SecurityContext.AllowPrivilegeEscalation);
        Assert.True(pod.TerminationGracePeriodSeconds > new HostOptions().ShutdownTimeout.TotalSeconds);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public void An_image_is_a_stage_of_the_dockerfile_with_the_version_of_the_build(string name)
    {
        var version = (string)XDocument.Parse(SourceTree.Read("Directory.Build.props")).Descendants("Version").Single();
        var image = $"registry.example/pubsuboverws/{name}:{version}";

        Assert.Equal(image, Server(Read(name).Deployment).Image);
        Assert.Contains(
            $"docker build --target {name} --tag {image} .", SourceTree.Read("docs/guides/kubernetes.md"), StringComparison.Ordinal);
    }

    [Fact]
    public void Two_pubsub_servers_share_their_work_on_two_hosts_and_the_direct_server_is_alone_even_during_an_update()
    {
        var deployment = Read("pubsub").Deployment;
        var pubsub = deployment.Spec;
        var direct = Read("direct").Deployment.Spec;
        var spread = Assert.Single(pubsub.Template.Spec.TopologySpreadConstraints);

        Assert.Equal(2, pubsub.Replicas);
        Assert.Equal("true", Setting(deployment, $"Queue__Nodes__{nameof(NodeOptions.Enabled)}"));
        Assert.NotNull(Setting(deployment, $"Queue__{nameof(QueueBrokerOptions.WaitTime)}"));
        Assert.Equal(("kubernetes.io/hostname", "DoNotSchedule", 1), (spread.TopologyKey, spread.WhenUnsatisfiable, spread.MaxSkew));
        Assert.Equal(pubsub.Selector.MatchLabels, spread.LabelSelector.MatchLabels);
        Assert.Equal((1, "Recreate"), (direct.Replicas, direct.Strategy.Type));
    }

    [Fact]
    public void A_field_that_Kubernetes_does_not_know_is_refused() => Assert.Throws<YamlException>(
        () => Load(SourceTree.Read("docs/kubernetes/direct.yaml").Replace("readOnlyRootFilesystem:", "readOnlyRootFileSystem:")));

    private static (V1Deployment Deployment, V1Service Service) Read(string name)
    {
        var all = Load(SourceTree.Read($"docs/kubernetes/{name}.yaml"));
        Assert.Equal(2, all.Count);
        return (Assert.IsType<V1Deployment>(all[0]), Assert.IsType<V1Service>(all[1]));
    }

    private static List<object> Load(string yaml) => KubernetesYaml.LoadAllFromString(yaml, strict: true);

    private static V1Container Server(V1Deployment deployment) => Assert.Single(deployment.Spec.Template.Spec.Containers);

    private static string Setting(V1Deployment deployment, string name) =>
        Server(deployment).Env.Single(variable => variable.Name == name).Value;
}
