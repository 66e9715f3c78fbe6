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
    public void There_is_one_manifest_for_each_server() =>
        Assert.Equal(["docs/kubernetes/direct.yaml", "docs/kubernetes/pubsub.yaml"], SourceTree.Files("docs/kubernetes", ".yaml", ".yml"));

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
