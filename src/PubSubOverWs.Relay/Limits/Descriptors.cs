using System.Globalization;

namespace PubSubOverWs.Hosting;

/// <summary>Files and sockets that this process has open, and may have open, as far as the system says it; Linux does.</summary>
internal static class Descriptors
{
    /// <summary>How many connections leave for all else.</summary>
    public const int Reserve = 8;

    private const string Name = "Max open files";

    /// <summary>Most that it may have; null: not known.</summary>
    public static int? Limit { get; } = Read();

    /// <summary>How many connections find one now, beside those that are open; null: not known.</summary>
    public static int? ForConnections =>
        Limit is { } limit ? Math.Max(limit - Reserve - Directory.GetFileSystemEntries("/proc/self/fd").Length, 0) : null;

    /// <summary>The number that the next one gets, which is the lowest that is free; as high as can be: none is.</summary>
    public static nint Next
    {
        get
        {
            try
            {
                using var next = File.OpenHandle("/dev/null");
                return next.DangerousGetHandle();
            }
            catch (IOException)
            {
                return nint.MaxValue;
            }
        }
    }

    private static int? Read()
    {
        const string limits = "/proc/self/limits";
        var lines = File.Exists(limits) ? File.ReadAllLines(limits) : [];
        if (Array.Find(lines, line => line.StartsWith(Name, StringComparison.Ordinal)) is not { } found)
            return null;
        var soft = found[Name.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries)[0];
        return int.TryParse(soft, NumberStyles.None, CultureInfo.InvariantCulture, out var max) ? max : null;
    }
}
