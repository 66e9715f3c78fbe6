using PubSubOverWs.EndToEndTests.Kubernetes;
using PubSubOverWs.EndToEndTests.Load;
using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.LoadTest.Experiments.WhichQueue.Load.Brokers;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests;

/// <summary>What a test needs besides the .NET SDK.</summary>
public enum Needed
{
    /// <summary>Linux with the programs that tests of processes use.</summary>
    Linux,

    /// <summary>Linux on which processes can have clocks of their own.</summary>
    TimeNamespace,

    /// <summary>Linux 6.3 or newer.</summary>
    Linux63,

    /// <summary>A machine on which processes can be pinned to cores.</summary>
    Pinning,

    /// <summary>Node.js with the packages of the lock file.</summary>
    Node,

    /// <summary>Node.js and a Chromium that it drives.</summary>
    Browser,

    /// <summary>A Chromium that a run drives itself.</summary>
    Chromium,

    /// <summary>And Linux, which has loopback addresses other than 127.0.0.1 without setting up.</summary>
    Nginx,

    /// <summary>Go with Debian's package of gorilla/websocket.</summary>
    Go,

    /// <summary>A RabbitMQ that tests start and kill, as Debian packs it.</summary>
    RabbitMq,

    /// <summary>A Redis that tests start and kill.</summary>
    Redis,

    /// <summary>And a machine on which a run can cut the power of a queue.</summary>
    PowerCut,

    /// <summary>A NATS that tests start and kill.</summary>
    Nats,

    /// <summary>A newer one than Debian's.</summary>
    NewNats,

    /// <summary>Autobahn's test suite.</summary>
    Autobahn,

    /// <summary>The dashboard of Aspire, which receives telemetry.</summary>
    Dashboard,

    /// <summary>A Kubernetes cluster of three nodes that has the images.</summary>
    Cluster,
}

/// <summary>A fact that is skipped, with the reason, where what it needs is missing.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class FactNeedsAttribute : FactAttribute
{
    public FactNeedsAttribute(Needed needed) => Skip = Needs.Missing(needed);
}

/// <summary>The same, once for each row of data.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class TheoryNeedsAttribute : TheoryAttribute
{
    public TheoryNeedsAttribute(Needed needed) => Skip = Needs.Missing(needed);
}

/// <summary>Programs that are no part of this repository.</summary>
internal static class Needs
{
    private const string AutobahnVariable = "AUTOBAHN_RUN";
    private const string NatsVariable = "NATS_SERVER";
    private const string DashboardVariable = "ASPIRE_DASHBOARD";

    // Of procps and util-linux, which a small container may not have.
    private static readonly string[] LinuxPrograms = ["kill", "prlimit", "setsid"];

    /// <summary>A Chromium on the PATH, which the clients from npm drive.</summary>
    public static string Browser => FindBrowser()!;

    public static string Nginx => FindNginx()!;

    /// <summary>Not the program on the PATH, which runs as a user of its own.</summary>
    public static string RabbitMq => "/usr/lib/rabbitmq/bin/rabbitmq-server";

    /// <summary>A command that takes a folder for its report and the address of a server.</summary>
    public static string Autobahn => FindVariable(AutobahnVariable)!;

    /// <summary>A nats-server of 2.10 or newer.</summary>
    public static string NewNats => FindVariable(NatsVariable)!;

    /// <summary>The program Aspire.Dashboard.</summary>
    public static string Dashboard => FindVariable(DashboardVariable)!;

    /// <summary>Null: nothing is. Otherwise the reason to skip.</summary>
    public static string? Missing(Needed needed) => needed switch
    {
        Needed.Linux => !OperatingSystem.IsLinux() ? "Needs Linux: sh, mkfifo and /proc."
            : LinuxPrograms.FirstOrDefault(program => Find("", program) is null) is { } program ? $"Needs {program} on the PATH."
            : null,
        Needed.TimeNamespace => Missing(Needed.Linux)
            ?? (!Environment.IsPrivilegedProcess ? "Needs root, to give processes clocks of their own."
                : Find("", "unshare") is null ? "Needs unshare on the PATH."
                : null),
        Needed.Linux63 =>
            OperatingSystem.IsLinux() && Environment.OSVersion.Version >= new Version(6, 3) ? null : "Needs Linux 6.3.",
        Needed.Pinning => PinningPlan.ForThisMachine(wanted: true).WhyNot,
        Needed.Node => NodeProject.Missing,
        Needed.Browser => NodeProject.Missing ?? (FindBrowser() is null ? "Needs a browser: there is no Chromium on the PATH." : null),
        Needed.Chromium => !OperatingSystem.IsLinux() ? "Needs Linux, where the processes of a browser are measured."
            : Chromium.Program is null ? "Needs a browser: there is no Chromium on the PATH."
            : null,
        Needed.Nginx => !OperatingSystem.IsLinux() ? "Needs Linux: clients come from 127.0.0.2 and up."
            : FindNginx() is null ? "Needs nginx: it is neither on the PATH nor in /usr/sbin."
            : null,
        Needed.Go => GoPrograms.Missing,
        Needed.RabbitMq => !File.Exists(RabbitMq) ? $"Needs RabbitMQ: there is no {RabbitMq}."
            : Find("", "epmd") is null ? "Needs Erlang: there is no epmd on the PATH."
            : null,
        Needed.Redis => Find("", "redis-server") is null ? "Needs Redis: there is no redis-server on the PATH." : null,
        Needed.PowerCut => Missing(Needed.Redis) ?? (BrokerDisk.Missing is { } missing ? $"Not here: {missing}." : null),
        Needed.Nats => Find("", "nats-server") is null ? "Needs NATS: there is no nats-server on the PATH." : null,
        Needed.NewNats => FindVariable(NatsVariable) is null
            ? $"Needs a newer NATS: set {NatsVariable} to a nats-server of 2.10 or newer."
            : null,
        Needed.Autobahn => FindVariable(AutobahnVariable) is null
            ? $"Needs Autobahn's test suite: set {AutobahnVariable} to a command that takes a folder for its report and the address of a "
                + "server."
            : null,
        Needed.Dashboard => FindVariable(DashboardVariable) is null
            ? $"Needs Aspire's dashboard: set {DashboardVariable} to the program Aspire.Dashboard, such as that in the NuGet package "
                + "Aspire.Dashboard.Sdk.linux-x64."
            : null,
        Needed.Cluster => Cluster.Config is null
            ? $"Needs a Kubernetes cluster and kubectl: set {Cluster.Variable} to the kubeconfig of three nodes with the images that "
                + ".github/workflows/docker.yml makes."
            : null,
        _ => throw new ArgumentOutOfRangeException(nameof(needed), needed, "No such need."),
    };

    private static string? FindBrowser() => Find("", "chromium", "chromium-browser", "google-chrome");

    private static string? FindNginx() => Find(":/usr/sbin", "nginx");

    private static string? FindVariable(string name) =>
        Environment.GetEnvironmentVariable(name) is { Length: > 0 } program ? program : null;

    private static string? Find(string more, params string[] names) => (
        from folder in (Environment.GetEnvironmentVariable("PATH") + more).Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
        from name in names
        let path = Path.Combine(folder, name)
        where File.Exists(path)
        select path).FirstOrDefault();
}
