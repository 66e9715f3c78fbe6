using System.Net;
using System.Net.Sockets;
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
