using System.Runtime;
using System.Runtime.InteropServices;
using PubSubOverWs.LoadTest.Harness.Machine;

namespace PubSubOverWs.LoadTest.Harness.Runs;

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
