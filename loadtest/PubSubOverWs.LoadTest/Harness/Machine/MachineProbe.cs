using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Machine;

/// <summary>Examines this machine. Nothing that it does stays, and it opens one connection at a time.</summary>
public static class MachineProbe
{
    /// <param name="servers">Those that should be beside this program.</param>
    /// <param name="output">The folder of the record, which need not exist; null: nothing is recorded.</param>
    public static async Task<MachineFacts> LookAsync(
        IEnumerable<ServerProgram> servers, string? output, CancellationToken cancellationToken)
    {
        var place = output is null ? null : Existing(Path.GetFullPath(output));
        var limits = ProcFiles.Lines("/proc/self/limits");
        return new MachineFacts(
            Kind(),
            ProcFiles.OpenFiles(limits)?.Soft,
            ProcFiles.OpenFiles(limits)?.Hard,
            ProcFiles.PortCount(ProcFiles.Lines("/proc/sys/net/ipv4/ip_local_port_range")),
            FreeMemory(),
            Environment.ProcessorCount,
            Taskset.IsInstalled(),
            OperatingSystem.IsLinux() && await CanConnectFromAsync(IPAddress.Parse("127.0.0.2"), cancellationToken),
            await CanConnectFromAsync(IPAddress.Loopback, cancellationToken),
            RunLock.HeldBy(Path.GetTempPath()),
            [.. servers.Where(server => !server.IsThere).Select(server => server.Name)])
        {
            Browser = Chromium.Program,
            DiskBytes = place is null ? null : new DriveInfo(place).AvailableFreeSpace,
            NotWritable = place is null ? null : WhyNotWritable(place),
        };
    }

    private static string Existing(string folder) =>
        Path.Exists(folder) || Path.GetDirectoryName(folder) is not { } above ? folder : Existing(above);

    private static string? WhyNotWritable(string folder)
    {
        try
        {
            using var file = File.Create(Path.Combine(folder, Path.GetRandomFileName()), bufferSize: 1, FileOptions.DeleteOnClose);
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return error.Message.TrimEnd('.');
        }
    }

    private static OSPlatformKind Kind() =>
        OperatingSystem.IsLinux() ? OSPlatformKind.Linux
        : OperatingSystem.IsWindows() ? OSPlatformKind.Windows
        : OperatingSystem.IsMacOS() ? OSPlatformKind.MacOS
        : OSPlatformKind.Other;

    // The runtime's figure respects the limit of a container, that of Linux the other processes.
    private static long FreeMemory() => Math.Min(
        GC.GetGCMemoryInfo().TotalAvailableMemoryBytes,
        ProcFiles.AvailableMemory(ProcFiles.Lines("/proc/meminfo")) ?? long.MaxValue);

    private static async Task<bool> CanConnectFromAsync(IPAddress source, CancellationToken cancellationToken)
    {
        try
        {
            using var listener = new TcpListener(IPAddress.Loopback, 0);
            listener.Start();
            using var client = new TcpClient(new IPEndPoint(source, 0));
            await client.ConnectAsync((IPEndPoint)listener.LocalEndpoint, cancellationToken);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}

/// <summary>The facts about this machine that the checks need; null: the system does not say.</summary>
/// <param name="System">Decides what can be pinned and bound.</param>
/// <param name="Descriptors">Open files allowed to this process and to the servers that it starts, which inherit the limit.</param>
/// <param name="HardDescriptors">The most that this can be raised to without an administrator.</param>
/// <param name="Ports">Local ports for outgoing connections, per source address.</param>
/// <param name="MemoryBytes">Free for new processes.</param>
/// <param name="SourceAddresses">A socket bound to 127.0.0.2 could connect to a listener on 127.0.0.1.</param>
/// <param name="Loopback">A socket could connect to a listener on 127.0.0.1.</param>
/// <param name="LockHolder">The run that is measuring now; null: none.</param>
/// <param name="MissingServers">Servers that are not beside the program.</param>
public sealed record MachineFacts(
    OSPlatformKind System, long? Descriptors, long? HardDescriptors, int? Ports, long? MemoryBytes, int Cores, bool HasTaskset,
    bool SourceAddresses, bool Loopback, string? LockHolder, IReadOnlyList<string> MissingServers)
{
    /// <summary>The Chromium on the PATH; null: there is none.</summary>
    public string? Browser { get; init; }

    /// <summary>Free where the record goes.</summary>
    public long? DiskBytes { get; init; }

    /// <summary>Why nothing can be written there; null: it can.</summary>
    public string? NotWritable { get; init; }
}

public enum OSPlatformKind
{
    Linux,
    Windows,
    MacOS,
    Other,
}

/// <summary>Reads files of Linux's /proc; null: a file or an entry is missing.</summary>
public static class ProcFiles
{
    /// <summary>Empty: there is no such file, as on other systems.</summary>
    public static string[] Lines(string path) => File.Exists(path) ? File.ReadAllLines(path) : [];

    /// <summary><c>/proc/self/limits</c>: <c>Max open files  1024  524288  files</c>; "unlimited" is the highest number.</summary>
    public static (long Soft, long Hard)? OpenFiles(IEnumerable<string> limits)
    {
        var words = limits.FirstOrDefault(line => line.StartsWith("Max open files", StringComparison.Ordinal))
            ?["Max open files".Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return words is [var soft, var hard, ..] ? (Limit(soft), Limit(hard)) : null;
    }

    /// <summary><c>/proc/sys/net/ipv4/ip_local_port_range</c>: first and last port.</summary>
    public static int? PortCount(IEnumerable<string> range) =>
        range.FirstOrDefault()?.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries) is [var first, var last]
            ? int.Parse(last, CultureInfo.InvariantCulture) - int.Parse(first, CultureInfo.InvariantCulture) + 1
            : null;

    /// <summary><c>/proc/meminfo</c>: <c>MemAvailable:  123 kB</c>, in bytes.</summary>
    public static long? AvailableMemory(IEnumerable<string> memory) =>
        memory.FirstOrDefault(line => line.StartsWith("MemAvailable:", StringComparison.Ordinal))
            ?.Split(' ', StringSplitOptions.RemoveEmptyEntries) is [_, var kibibytes, ..]
            ? long.Parse(kibibytes, CultureInfo.InvariantCulture) << 10
            : null;

    /// <summary><c>/proc/PID/io</c>: <c>write_bytes: 123</c>; 0: it has ended, or is not ours.</summary>
    public static long BytesWritten(int process)
    {
        try
        {
            return Lines(Invariant($"/proc/{process}/io")).Where(line => line.StartsWith("write_bytes: ", StringComparison.Ordinal))
                .Sum(line => long.Parse(line["write_bytes: ".Length..], CultureInfo.InvariantCulture));
        }
        catch (Exception ended) when (ended is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }

    private static long Limit(string word) => word == "unlimited" ? long.MaxValue : long.Parse(word, CultureInfo.InvariantCulture);
}
