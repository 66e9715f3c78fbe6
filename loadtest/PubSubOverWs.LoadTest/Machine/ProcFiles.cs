using System.Globalization;

namespace PubSubOverWs.LoadTest.Machine;

/// <summary>Reads Linux' own files; null where a file is missing or says nothing.</summary>
public static class ProcFiles
{
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

    private static long Limit(string word) => word == "unlimited" ? long.MaxValue : long.Parse(word, CultureInfo.InvariantCulture);
}
