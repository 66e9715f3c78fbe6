using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Experiments.WhichQueue.Load.Brokers;

/// <summary>
/// A disk of a queue server: an ext4 in a file, which a mount namespace of the server alone has at its folder for data, so that it is gone
/// with its last process. After a power cut a disk has what was written to it before; what the system still kept in memory is lost, and the
/// journal is replayed when the copy is mounted. Root on Linux only.
/// </summary>
internal sealed class BrokerDisk
{
    private const long Bytes = 512L << 20;

    private readonly BrokerPlace _place;
    private int _number;

    private BrokerDisk(BrokerPlace place) => _place = place;

    /// <summary>Why there can be none here, and what to do; null: there can.</summary>
    public static string? Missing { get; } = !OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess
        ? "a power cut needs root on Linux, to mount a disk"
        : new[] { "losetup", "mkfs.ext4", "mount", "unshare", "cp" }
            .Where(program => PathFolders.Find(
                program, $"{Environment.GetEnvironmentVariable("PATH")}:/usr/sbin:/sbin", File.Exists) is null)
            .Select(program => $"a power cut needs {program}, of Debian's util-linux, mount, e2fsprogs or coreutils").FirstOrDefault();

    /// <summary>What a command begins with whose process has the disk.</summary>
    public IReadOnlyList<string> Words =>
    [
        "unshare", "--mount", "--propagation", "private", "sh", "-c", "mount -o loop \"$0\" \"$1\" && shift && exec \"$@\"", Image,
        _place.Data,
    ];

    private string Image => Path.Combine(_place.Folder, Invariant($"disk-{_number}"));

    /// <exception cref="ChildException">It could not be made.</exception>
    public static async Task<BrokerDisk> MakeAsync(BrokerPlace place, CancellationToken cancellationToken)
    {
        var disk = new BrokerDisk(place);
        await using (var file = File.Create(disk.Image))
            file.SetLength(Bytes);
        await RunAsync(["mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", disk.Image], cancellationToken);
        return disk;
    }

    /// <summary>Copies it as it is now: the next process has the copy.</summary>
    /// <exception cref="ChildException">It could not be copied.</exception>
    public async Task CopyAsync(CancellationToken cancellationToken)
    {
        var before = Image;
        _number++;
        await RunAsync(["cp", "--sparse=always", before, Image], cancellationToken);
        // Its blocks are freed when the process that has it is gone.
        File.Delete(before);
    }

    private static async Task RunAsync(string[] words, CancellationToken cancellationToken)
    {
        using var process = Process.Start(new ProcessStartInfo(words[0], words[1..]) { RedirectStandardError = true })!;
        var said = await process.StandardError.ReadToEndAsync(cancellationToken);
        await process.WaitForExitAsync(cancellationToken);
        if (process.ExitCode != 0)
            throw new ChildException($"{words[0]} failed: {said.Trim()}");
    }
}
