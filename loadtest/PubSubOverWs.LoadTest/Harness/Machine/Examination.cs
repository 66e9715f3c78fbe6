namespace PubSubOverWs.LoadTest.Harness.Machine;

/// <summary>Compares a machine with the needs of a run. Every finding says how to fix it.</summary>
public static class Examination
{
    public static IReadOnlyList<Finding> Make(MachineFacts machine, Demand demand) =>
    [
        Descriptors(machine, demand),
        Ports(machine, demand),
        Memory(machine, demand),
        Disk(machine, demand),
        Cores(machine, demand),
        Pinning(machine, demand),
        Loopback(machine),
        Servers(machine, demand),
        .. demand.Browser ? [Browser(machine)] : Array.Empty<Finding>(),
        Lock(machine),
    ];

    private static Finding Descriptors(MachineFacts machine, Demand demand)
    {
        if (machine.Descriptors is not { } allowed)
            return new Finding(CheckLevel.Good, "descriptors", "no limit known on this system");
        var text = Invariant($"{allowed} allowed, {demand.Descriptors} needed for {demand.MaxUsers} users")
            + (demand.Workers == 1 ? "" : Invariant($" of {demand.Workers} load processes"));
        if (allowed >= demand.Descriptors)
            return new Finding(CheckLevel.Good, "descriptors", text);
        var fix = machine.HardDescriptors >= demand.Descriptors
            ? Invariant($"run `ulimit -n {demand.Descriptors}` in this shell, or {demand.Fewer}")
            : Invariant(
                $"have an administrator raise the hard limit to {demand.Descriptors} (nofile in /etc/security/limits.conf, LimitNOFILE ")
                    + $"of a unit, --ulimit nofile of a container), or {demand.Fewer}";
        return new Finding(
            CheckLevel.Refusal, "descriptors", text,
            demand.WorkersFor(allowed) is { } workers ? Invariant($"share them among processes with --workers {workers}, or {fix}") : fix);
    }

    private static Finding Ports(MachineFacts machine, Demand demand)
    {
        if (machine.Ports is not { } ports)
            return new Finding(CheckLevel.Good, "ports", "range not known on this system");
        if (demand.LoopbackOnly && machine.SourceAddresses)
            return new Finding(
                CheckLevel.Good, "ports", Invariant($"{ports} per source address, and connections start from 127.0.0.2 and up"));
        var text = Invariant($"{ports} local ports from one source address, for {demand.MaxUsers} users at once and those just closed");
        var fix =
            "widen the range (Linux: net.ipv4.ip_local_port_range; macOS: net.inet.ip.portrange.first; Windows: netsh int ipv4 set "
                + $"dynamicport), or {demand.Fewer}";
        if (ports < demand.MaxConnections)
            return new Finding(CheckLevel.Refusal, "ports", text, fix);
        // A closed connection keeps its port for up to a minute.
        return ports < 4 * demand.MaxConnections
            ? new Finding(CheckLevel.Warning, "ports", text, fix)
            : new Finding(CheckLevel.Good, "ports", text);
    }

    private static Finding Memory(MachineFacts machine, Demand demand)
    {
        if (machine.MemoryBytes is not { } free)
            return new Finding(CheckLevel.Good, "memory", "not known on this system");
        var text = Invariant($"{free >> 20} MiB free, about {demand.MemoryBytes >> 20} MiB used by {demand.MaxUsers} users");
        return free >= demand.MemoryBytes
            ? new Finding(CheckLevel.Good, "memory", text)
            : new Finding(
                CheckLevel.Warning, "memory", text,
                $"close other programs, or {demand.Fewer}: a machine that swaps measures its disk");
    }

    private static Finding Disk(MachineFacts machine, Demand demand)
    {
        if (machine.NotWritable is { } why)
            return new Finding(
                CheckLevel.Refusal, "disk", $"the folder of the record cannot be written ({why})",
                demand.Resumes ? "make it writable, or resume a copy of it" : "give --out a folder that you may write");
        if (machine.DiskBytes is not { } free)
            return new Finding(CheckLevel.Good, "disk", "not known on this system");
        var text = Invariant($"{free >> 20} MiB free where the record goes, about {Math.Max(1, demand.RecordBytes >> 20)} MiB needed");
        return free >= demand.RecordBytes
            ? new Finding(CheckLevel.Good, "disk", text)
            : new Finding(
                CheckLevel.Refusal, "disk", text,
                demand.Resumes ? "make room, or resume a copy of the record" : "make room, or give --out a folder on another disk");
    }

    private static Finding Cores(MachineFacts machine, Demand demand)
    {
        var text = Invariant($"{machine.Cores}");
        return machine.Cores >= 2 || !demand.Pinned
            ? new Finding(CheckLevel.Good, "cores", text)
            : new Finding(
                CheckLevel.Warning, "cores", text,
                "give the run two cores: on one, load and server wait for each other and nothing can be pinned");
    }

    private static Finding Pinning(MachineFacts machine, Demand demand)
    {
        if (!demand.Pinned)
            return new Finding(CheckLevel.Good, "pinning", "not requested");
        if (machine.System is OSPlatformKind.MacOS or OSPlatformKind.Other)
            return new Finding(
                CheckLevel.Warning, "pinning", "this system cannot pin processes",
                "nothing to do: the record says that the run was not pinned");
        return machine.System != OSPlatformKind.Linux || machine.HasTaskset
            ? new Finding(CheckLevel.Good, "pinning", "server on one core, load and queue on the other")
            : new Finding(
                CheckLevel.Warning, "pinning", "taskset is not on the path",
                "install util-linux, or use --no-pin to record that pinning was turned off on purpose");
    }

    private static Finding Loopback(MachineFacts machine) => (machine.Loopback, machine.SourceAddresses, machine.System) switch
    {
        (false, _, _) =>
            new Finding(
                CheckLevel.Refusal, "loopback", "127.0.0.1 cannot be reached",
                "bring the loopback interface up (`ip link set lo up`) and let local connections through the firewall"),
        (_, false, OSPlatformKind.Linux) =>
            new Finding(
                CheckLevel.Warning, "loopback", "127.0.0.2 cannot be bound",
                "give the loopback interface all of 127.0.0.0/8: with one source address ports may run out"),
        (_, false, _) => new Finding(CheckLevel.Good, "loopback", "127.0.0.1 only"),
        _ => new Finding(CheckLevel.Good, "loopback", "127.0.0.1, and 127.0.0.2 and up as source addresses"),
    };

    private static Finding Servers(MachineFacts machine, Demand demand) => machine.MissingServers.Count == 0 || !demand.StartsServers
        ? new Finding(CheckLevel.Good, "servers", demand.StartsServers ? "beside the program" : "not started by the run")
        : new Finding(
            CheckLevel.Refusal, "servers", $"{string.Join(", ", machine.MissingServers)} not found beside the program",
            "build the whole solution again: the build copies the servers");

    private static Finding Browser(MachineFacts machine) => machine switch
    {
        { System: not OSPlatformKind.Linux } => new(
            CheckLevel.Refusal, "browser", "a browser is started and measured on Linux only", "omit --client browser"),
        { Browser: { } program } => new(CheckLevel.Good, "browser", program),
        _ => new(
            CheckLevel.Refusal, "browser", "there is no Chromium on the PATH",
            "install it (Debian: apt-get install chromium), or omit --client browser"),
    };

    private static Finding Lock(MachineFacts machine) => machine.LockHolder is not { } holder
        ? new Finding(CheckLevel.Good, "lock", "no other run")
        : new Finding(
            CheckLevel.Refusal, "lock", $"another run is measuring ({holder})",
            "wait until it ends or stop it: two runs would disturb each other");
}

/// <summary>The result of one check.</summary>
/// <param name="Name">The check, in one word.</param>
/// <param name="Text">The value that was found, and the one that is needed.</param>
/// <param name="Fix">The advice; empty if none is needed.</param>
public sealed record Finding(CheckLevel Level, string Name, string Text, string Fix = "")
{
    /// <summary>As <c>doctor</c> prints it for people; two lines where there is something to fix.</summary>
    [JsonIgnore]
    public string Line
    {
        get
        {
            var mark = Level switch { CheckLevel.Good => "ok  ", CheckLevel.Warning => "warn", _ => "FAIL" };
            return $"{mark}  {Name,-11} {Text}{(Fix.Length == 0 ? "" : $"{Environment.NewLine}{"",18}-> {Fix}")}";
        }
    }

    /// <summary>The sentence with which a run refuses: what is wrong, and how to fix it.</summary>
    [JsonIgnore]
    public string Refusal => $"This machine cannot run this: {Name}: {Text}; {Fix}.";
}

/// <summary>All findings for programs.</summary>
/// <param name="Doctor">The version of the format.</param>
/// <param name="Scenario">What the machine was checked for.</param>
/// <param name="CanRun">False: a finding is a refusal.</param>
/// <param name="Findings">In the order in which they are printed.</param>
public sealed record ExaminationDocument(int Doctor, string Scenario, bool CanRun, IReadOnlyList<Finding> Findings)
{
    private const int Version = 1;

    public static ExaminationDocument From(string scenario, IReadOnlyList<Finding> findings) =>
        new(Version, scenario, findings.All(finding => finding.Level != CheckLevel.Refusal), findings);
}

/// <summary>The effect of a finding on a run.</summary>
public enum CheckLevel
{
    /// <summary>Nothing to fix.</summary>
    Good,

    /// <summary>A run works, but its results are less reliable.</summary>
    Warning,

    /// <summary>A run would fail, and is refused before anything is started.</summary>
    Refusal,
}
