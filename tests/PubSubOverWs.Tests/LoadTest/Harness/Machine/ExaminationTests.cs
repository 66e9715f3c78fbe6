using System.Net;
using PubSubOverWs.LoadTest.Experiments.IdleConnections;
using PubSubOverWs.LoadTest.Harness.Machine;

namespace PubSubOverWs.Tests.LoadTest.Harness.Machine;

public sealed class ExaminationTests
{
    private static readonly MachineFacts Healthy = new(
        OSPlatformKind.Linux, Descriptors: 20_000, HardDescriptors: 20_000, Ports: 28_232, MemoryBytes: 8L << 30, Cores: 2,
        HasTaskset: true,
        SourceAddresses: true, Loopback: true, LockHolder: null, MissingServers: [])
    { DiskBytes = 1L << 30 };

    private static readonly Demand Paper = new(MaxUsers: 10_000, Pinned: true, LoopbackOnly: true, StartsServers: true)
    { RecordBytes = 36 << 20 };

    [Fact]
    public void A_healthy_machine_has_no_findings() =>
        Assert.All(Examination.Make(Healthy, Paper), finding => Assert.Equal((CheckLevel.Good, ""), (finding.Level, finding.Fix)));

    [Fact]
    public void Too_few_descriptors_are_refused_with_the_command_that_raises_them()
    {
        var finding = Find(Healthy with { Descriptors = 1_024 }, "descriptors");

        Assert.Equal(CheckLevel.Refusal, finding.Level);
        Assert.Equal(
            "This machine cannot run this: descriptors: 1024 allowed, 10256 needed for 10000 users; run `ulimit -n 10256` in this "
                + "shell, or ask for fewer users with --users.",
            finding.Refusal);
    }

    [Fact]
    public void A_hard_limit_below_the_need_is_for_an_administrator() =>
        Assert.Contains(
            "have an administrator raise the hard limit to 10256",
            Find(Healthy with { Descriptors = 1_024, HardDescriptors = 4_096 }, "descriptors").Fix);

    [Fact]
    public void Users_that_are_too_many_for_one_process_may_be_shared_by_several_where_no_server_of_the_run_is_too_small_for_them()
    {
        var many = new Demand(MaxUsers: 50_016, Pinned: true, LoopbackOnly: true, StartsServers: false) { MayHaveWorkers = true };

        Assert.Equal(
            "This machine cannot run this: descriptors: 20000 allowed, 50272 needed for 50016 users; share them among processes with "
                + "--workers 3, or have an administrator raise the hard limit to 50272 (nofile in /etc/security/limits.conf, LimitNOFILE "
                + "of a unit, --ulimit nofile of a container), or ask for fewer users with --users.",
            Descriptors(many).Refusal);
        Assert.Equal(
            (CheckLevel.Good, "20000 allowed, 16928 needed for 50016 users of 3 load processes"),
            (Descriptors(many with { Workers = 3 }).Level, Descriptors(many with { Workers = 3 }).Text));
        // The server of the run has as many connections, and the same limit.
        Assert.DoesNotContain("--workers", Descriptors(many with { StartsServers = true }).Fix);
        Assert.Equal(CheckLevel.Refusal, Descriptors(many with { StartsServers = true, Workers = 3 }).Level);
        Assert.Contains("with --workers 3,", Descriptors(many with { StartsServers = true, Servers = 3 }).Fix);
        Assert.DoesNotContain("--workers", Descriptors(many with { MayHaveWorkers = false }).Fix);

        static Finding Descriptors(Demand demand) => Examination.Make(Healthy, demand).Single(finding => finding.Name == "descriptors");
    }

    [Fact]
    public void An_experiment_that_has_as_many_processes_as_its_connections_need_says_how_to_need_more_of_them()
    {
        var idle = new Demand(MaxUsers: 100_001, Pinned: true, LoopbackOnly: true, StartsServers: true)
        { Workers = 6, Servers = 6, Fewer = IdleConnectionsScenario.Experiment.AsksForFewer };

        Assert.Equal("20000 allowed, 16923 needed for 100001 users of 6 load processes", Find(Healthy, "descriptors", idle).Text);
        Assert.EndsWith(
            "have fewer connections in a process with --set perProcess=N, or fewer of all with --set connections=N.",
            Find(Healthy with { Descriptors = 10_000, HardDescriptors = 10_000 }, "descriptors", idle).Refusal);
    }

    [Fact]
    public void Each_load_process_takes_memory() =>
        Assert.Equal(3 * (160L << 20), (Paper with { Workers = 3 }).MemoryBytes - Paper.MemoryBytes);

    [Theory]
    [InlineData(9_999, CheckLevel.Refusal)]
    [InlineData(28_232, CheckLevel.Warning)]
    [InlineData(60_000, CheckLevel.Good)]
    public void Without_source_addresses_the_ports_of_one_address_must_do(int ports, CheckLevel level) =>
        Assert.Equal(level, Find(Healthy with { SourceAddresses = false, Ports = ports }, "ports").Level);

    [Fact]
    public void Little_memory_is_a_warning() =>
        Assert.Equal(CheckLevel.Warning, Find(Healthy with { MemoryBytes = 512L << 20 }, "memory").Level);

    [Fact]
    public void Too_little_room_for_the_record_is_refused()
    {
        var finding = Find(Healthy with { DiskBytes = 35 << 20 }, "disk");

        Assert.Equal(
            "This machine cannot run this: disk: 35 MiB free where the record goes, about 36 MiB needed; make room, or give --out a folder "
                + "on another disk.",
            finding.Refusal);
    }

    [Fact]
    public void A_folder_that_cannot_be_written_is_refused_with_the_reason() =>
        Assert.Equal(
            "This machine cannot run this: disk: the folder of the record cannot be written (Read-only file system); give --out a folder "
                + "that you may write.",
            Find(Healthy with { NotWritable = "Read-only file system" }, "disk").Refusal);

    [Fact]
    public void A_record_that_is_resumed_has_its_folder()
    {
        var resumed = Paper with { Resumes = true };

        Assert.Equal("make it writable, or resume a copy of it", Find(Healthy with { NotWritable = "denied" }, "disk", resumed).Fix);
        Assert.Equal("make room, or resume a copy of the record", Find(Healthy with { DiskBytes = 35 << 20 }, "disk", resumed).Fix);
    }

    [Fact]
    public void One_core_is_a_warning_unless_nothing_is_to_be_pinned()
    {
        Assert.Equal(CheckLevel.Warning, Find(Healthy with { Cores = 1 }, "cores").Level);
        Assert.Equal(
            CheckLevel.Good,
            Examination.Make(Healthy with { Cores = 1 }, Paper with { Pinned = false }).Single(finding => finding.Name == "cores").Level);
    }

    [Fact]
    public void A_missing_taskset_is_named_with_its_package() =>
        Assert.Contains("util-linux", Find(Healthy with { HasTaskset = false }, "pinning").Fix);

    [Fact]
    public void No_loopback_is_refused() => Assert.Equal(CheckLevel.Refusal, Find(Healthy with { Loopback = false }, "loopback").Level);

    [Fact]
    public void Missing_servers_are_refused_by_name_when_the_run_would_start_them()
    {
        var machine = Healthy with { MissingServers = ["localsqs"] };

        Assert.StartsWith("localsqs", Find(machine, "servers").Text);
        Assert.Equal(
            CheckLevel.Good,
            Examination.Make(machine, Paper with { StartsServers = false }).Single(finding => finding.Name == "servers").Level);
    }

    [Fact]
    public void Another_run_is_refused_with_its_pid() =>
        Assert.Contains("pid 42", Find(Healthy with { LockHolder = "pid 42, paper" }, "lock").Text);

    [Fact]
    public void A_browser_is_asked_for_only_if_it_has_the_clients()
    {
        Assert.DoesNotContain(Examination.Make(Healthy, Paper), finding => finding.Name == "browser");
        Assert.Equal(CheckLevel.Good, Browser(Healthy with { Browser = "/usr/bin/chromium" }).Level);
    }

    [Fact]
    public void A_browser_that_is_not_there_or_cannot_be_measured_is_refused()
    {
        Assert.Equal(
            "This machine cannot run this: browser: there is no Chromium on the PATH; install it (Debian: apt-get install chromium), or "
                + "omit --client browser.",
            Browser(Healthy).Refusal);
        Assert.Equal(
            "a browser is started and measured on Linux only",
            Browser(Healthy with { Browser = "chromium", System = OSPlatformKind.MacOS }).Text);
    }

    [Fact]
    public void Every_finding_that_is_not_good_says_what_to_do()
    {
        var broken = new MachineFacts(OSPlatformKind.Linux, 10, 10, 10, 10, 1, false, false, false, "pid 1", ["direct"]) { DiskBytes = 10 };

        Assert.All(Examination.Make(broken, Paper), finding =>
        {
            Assert.NotEqual(CheckLevel.Good, finding.Level);
            Assert.NotEqual("", finding.Fix);
            Assert.Contains("-> ", finding.Line);
        });
    }

    private static Finding Browser(MachineFacts machine) =>
        Examination.Make(machine, Paper with { Browser = true }).Single(finding => finding.Name == "browser");

    private static Finding Find(MachineFacts machine, string name, Demand? demand = null) =>
        Examination.Make(machine, demand ?? Paper).Single(finding => finding.Name == name);
}

public sealed class ProcFilesTests
{
    [Fact]
    public void The_limits_file_tells_soft_and_hard_open_files() => Assert.Equal((1024, 524288), ProcFiles.OpenFiles(
    [
        "Limit                     Soft Limit           Hard Limit           Units",
        "Max processes             94871                94871                processes",
        "Max open files            1024                 524288               files",
    ]));

    [Fact]
    public void Unlimited_is_the_highest_number() =>
        Assert.Equal(
            (1024, long.MaxValue), ProcFiles.OpenFiles(["Max open files            1024                 unlimited            files"]));

    [Fact]
    public void The_port_range_counts_both_its_ends() => Assert.Equal(28232, ProcFiles.PortCount(["32768\t60999"]));

    [Fact]
    public void Available_memory_is_in_bytes() =>
        Assert.Equal(2048L, ProcFiles.AvailableMemory(["MemTotal:       4 kB", "MemAvailable:          2 kB"]));

    [Fact]
    public void A_missing_file_says_nothing()
    {
        Assert.Null(ProcFiles.OpenFiles([]));
        Assert.Null(ProcFiles.PortCount([]));
        Assert.Null(ProcFiles.AvailableMemory([]));
    }
}

public sealed class AddressSpreadTests
{
    [Theory]
    [InlineData(0, "127.0.0.2")]
    [InlineData(999, "127.0.0.2")]
    [InlineData(1000, "127.0.0.3")]
    [InlineData(249_999, "127.0.0.251")]
    [InlineData(250_000, "127.0.0.2")]
    public void Every_thousand_connections_have_an_address(long connection, string address) =>
        Assert.Equal(IPAddress.Parse(address), AddressSpread.At(connection));

    [Fact]
    public void No_address_is_that_of_the_servers() =>
        Assert.DoesNotContain(IPAddress.Loopback, Enumerable.Range(0, 250).Select(i => AddressSpread.At(i * AddressSpread.PerAddress)));

    [Fact]
    public void Processes_that_connect_at_once_begin_at_addresses_that_are_far_apart() => Assert.Equal(
        ["127.0.0.2", "127.0.0.64", "127.0.0.127", "127.0.0.189"],
        Enumerable.Range(0, 4).Select(process => $"{AddressSpread.At(AddressSpread.FirstOf(process, 4))}"));

    [Theory]
    [InlineData("127.0.0.1", true, true)]
    [InlineData("127.0.0.1", false, false)] // macOS
    [InlineData("192.0.2.1", true, false)]
    [InlineData("::1", true, false)]
    public void Only_loopback_targets_are_met_from_spread_addresses(string target, bool hasWholeLoopbackNet, bool applies) =>
        Assert.Equal(applies, AddressSpread.Applies(IPAddress.Parse(target), hasWholeLoopbackNet));
}
