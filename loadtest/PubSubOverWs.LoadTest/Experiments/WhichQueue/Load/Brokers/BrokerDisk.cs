using System.Diagnostics;
using System.Runtime.InteropServices;
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

    // Of linux/fs.h and fs/ext4: FS_IOC_SHUTDOWN, and EXT4_GOING_FLAGS_NOLOGFLUSH.
    private const nuint ShutDown = 0x8004587D;
    private const uint WithoutFlush = 2;

    // In the folder under the disk: where it can be seen, the disk is not.
    private const string Under = "not-mounted";

    private readonly BrokerPlace _place;
    private int _number;

    public BrokerDisk(BrokerPlace place) => _place = place;

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
    public async Task MakeAsync(CancellationToken cancellationToken)
    {
        await File.WriteAllTextAsync(Path.Combine(_place.Data, Under), "", cancellationToken);
        await using (var file = File.Create(Image))
            file.SetLength(Bytes);
        await RunAsync(["mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", Image], cancellationToken);
    }

    /// <summary>From now on nothing is written to it; the next process has a copy.</summary>
    /// <param name="process">One that has it.</param>
    /// <exception cref="ChildException">It could not be done.</exception>
    public async Task CutPowerAsync(int process, CancellationToken cancellationToken)
    {
        // Otherwise the copy could have a size of a file from after, and its contents from before: no power cut leaves that.
        StopWriting(Invariant($"/proc/{process}/root{_place.Data}"));
        var before = Image;
        _number++;
        await RunAsync(["cp", "--sparse=always", before, Image], cancellationToken);
        // Its blocks are freed when the process that has it is gone.
        File.Delete(before);
    }

    private static void StopWriting(string folder)
    {
        // A link in the path would lead to the disk of this machine, and so would a process that only has the number.
        if (File.Exists(Path.Combine(folder, Under)))
            throw new ChildException(
                $"The power of {folder} was not cut: it is no disk of a queue. If the folder for temporary files is behind a link, set "
                    + "TMPDIR to where that leads.");
        var flags = WithoutFlush;
        var file = Open(folder, 0);
        var isDone = file >= 0 && Control(file, ShutDown, ref flags) == 0;
        var error = Marshal.GetLastPInvokeError();
        if (file >= 0)
            _ = Close(file);
        if (!isDone)
            throw new ChildException($"The power of {folder} could not be cut: {Marshal.GetPInvokeErrorMessage(error)}.");
    }

    [DllImport("libc", EntryPoint = "open", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Open([MarshalAs(UnmanagedType.LPUTF8Str)] string path, int flags);

    [DllImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Control(int file, nuint request, ref uint argument);

    [DllImport("libc", EntryPoint = "close")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Close(int file);

    private static async Task RunAsync(string[] words, CancellationToken cancellationToken)
    {
        using var process = Process.Start(new ProcessStartInfo(words[0], words[1..]) { RedirectStandardError = true })!;
        var said = await process.StandardError.ReadToEndAsync(cancellationToken);
        await process.WaitForExitAsync(cancellationToken);
        if (process.ExitCode != 0)
            throw new ChildException($"{words[0]} failed: {said.Trim()}");
    }
}
