using System.Runtime;
using System.Runtime.InteropServices;
using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers.Joining;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>Builds run.json when a run starts or is resumed.</summary>
public static class RunDescription
{
    public static RunRecord Start(RunJob job, PinningPlan pinning, DateTimeOffset now) => job.Before is { } before
        ? before with { Scenario = job.Scenario, Order = job.Order, Resumed = before.Resumed + 1, Ended = null, Complete = false }
        : new RunRecord
        {
            Label = job.Request.FolderLabel,
            Started = now,
            Scenario = job.Scenario,
            Prediction = (Catalogue.For(job.Scenario) as IPredictedOutcome)?.Predict(job.Scenario),
            SetUp = SetUp(job, pinning),
            Machine = MachineDescription.Make(),
            Order = job.Order,
            Bill = job.Bill,
        };

    /// <summary>The set-up of the run; a resumed run must have the same.</summary>
    public static SetUp SetUp(RunJob job, PinningPlan pinning) => new()
    {
        OwnServers = job.Request.OwnServersOnly,
        SharedMachine = job.StartsServers || job.Request.AllAddresses.Any(url => url.IsLoopback),
        Queue = job.Queue?.Text ?? "none",
        SqsClient = job.Queue?.Client,
        Client = job.Request.Client,
        Settings = Settings(job),
        NotPinnedBecause = job.Scenario.Pinning ? pinning.WhyNot : null,
    };

    private static SortedDictionary<string, string> Settings(RunJob job)
    {
        var settings = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var (name, value) in job.Request.Access.Options.Concat(job.Request.Queue.Options))
            settings[name] = value;
        if (job.Request.PricePerMillion is { } price)
            settings["--sqs-price"] = price.ToString(CultureInfo.InvariantCulture);
        if (job.Request.Join is not null)
            settings[JoinOptions.At] = "load processes joined, which events.csv describes";
        foreach (var (target, use) in job.Targets)
        {
            if (use.Address is { } address)
                settings[target.AddressOption] = MaskedAddress.Text(address);
            foreach (var (name, value) in target.Settings(use))
                settings[$"{target.Name} {name}"] = value;
        }

        foreach (var arm in job.Scenario.Arms.Where(arm => job.Request.AddressOf(arm) is null))
        {
            foreach (var (name, value) in job.Scenario.SetUp(arm).Settings.Concat(job.Scenario.SetUp(arm).Environment))
                settings[$"{arm} {name}"] = value;
        }

        return settings;
    }
}

/// <summary>The machine in run.json: what results depend on, and nothing that identifies the machine or its user.</summary>
public static class MachineDescription
{
    public static MachineRecord Make() => new()
    {
        Commit = ThisProgram.Commit,
        Os = RuntimeInformation.OSDescription,
        Architecture = RuntimeInformation.OSArchitecture.ToString().ToLowerInvariant(),
        Cpu = CpuModel(ProcFiles.Lines("/proc/cpuinfo")) ?? "unknown",
        Cores = Environment.ProcessorCount,
        MemoryBytes = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes,
        Runtime = ThisProgram.Runtime,
        CollectorMode = (GCSettings.IsServerGC ? "server" : "workstation")
            + (GCSettings.LatencyMode == GCLatencyMode.Batch ? "" : ", concurrent"),
        Limits = Limits(),
        Versions = new SortedDictionary<string, string>(StringComparer.Ordinal) { ["PubSubOverWs"] = ThisProgram.Version },
    };

    /// <summary>The first <c>model name</c> of <c>/proc/cpuinfo</c>; null: it has none.</summary>
    public static string? CpuModel(IEnumerable<string> lines) =>
        lines.FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))?.Split(':', 2)[^1].Trim();

    private static SortedDictionary<string, string> Limits()
    {
        var limits = new SortedDictionary<string, string>(StringComparer.Ordinal);
        if (ProcFiles.OpenFiles(ProcFiles.Lines("/proc/self/limits")) is { } files)
            limits["open files"] = $"{files.Soft} (hard {files.Hard})";
        foreach (var (name, path) in new[]
                 {
                     ("local ports", "/proc/sys/net/ipv4/ip_local_port_range"),
                     ("listen backlog", "/proc/sys/net/core/somaxconn"),
                 })
        {
            if (ProcFiles.Lines(path) is [var value, ..])
                limits[name] = string.Join('-', value.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        }

        return limits;
    }
}
