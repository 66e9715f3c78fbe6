namespace PubSubOverWs.LoadTest.Harness.Machine;

/// <summary>
/// Prevents two runs of one user at the same time, which would disturb each other. The operating system's lock on an open file ends with
/// its process, however that ends; a second file names the holder for the message.
/// </summary>
public sealed class RunLock : IDisposable
{
    private readonly FileStream _file;
    private readonly string _holderPath;

    private RunLock(FileStream file, string holderPath)
    {
        _file = file;
        _holderPath = holderPath;
    }

    /// <exception cref="RefusalException">Another run holds it.</exception>
    public static RunLock Take(string folder, string what)
    {
        var path = PathIn(folder);
        if (!TryOpen(path, out var file))
        {
            throw new RefusalException(
                $"Another run is measuring on this machine ({Holder(folder)}): wait until it ends or stop it, because two runs would "
                    + "disturb each other.");
        }

        File.WriteAllText(HolderOf(path), Invariant($"pid {Environment.ProcessId}, {what}"));
        return new RunLock(file, HolderOf(path));
    }

    /// <summary>The holder of the lock; null: it is free.</summary>
    public static string? HeldBy(string folder)
    {
        if (!TryOpen(PathIn(folder), out var file))
            return Holder(folder);
        file.Dispose();
        return null;
    }

    public void Dispose()
    {
        File.Delete(_holderPath);
        // The file itself stays: otherwise a third run could lock a new file of the same name while a second waits on the old one.
        _file.Dispose();
    }

    private static bool TryOpen(string path, out FileStream file)
    {
        try
        {
            file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            return true;
        }
        catch (IOException)
        {
            file = null!;
            return false;
        }
    }

    private static string Holder(string folder)
    {
        try
        {
            return File.ReadAllText(HolderOf(PathIn(folder)));
        }
        catch (IOException)
        {
            return "pid unknown: it is just starting or ending";
        }
    }

    private static string PathIn(string folder) => Path.Combine(folder, $"pubsuboverws-{UserName()}.lock");

    private static string UserName()
    {
        try
        {
            return Environment.UserName;
        }
        catch (IOException)
        {
            return "unnamed"; // A container may have no list of users.
        }
    }

    private static string HolderOf(string path) => path + ".holder";
}
