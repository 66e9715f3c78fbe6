using System.Globalization;
using Microsoft.Extensions.Options;

namespace PubSubOverWs.Relay;

/// <summary>
/// One part of the most memory that clients can make a server take, by its settings. Each part of the server registers its own with the
/// services.
/// </summary>
/// <param name="Name">As the log and <c>/stats</c> show it.</param>
/// <param name="Bytes">At most, for all connections together.</param>
/// <param name="PerConnection">At most, in addition, for each connection.</param>
public sealed record MemoryShare(string Name, long Bytes, long PerConnection = 0)
{
    /// <summary>The memory of a message in addition to <see cref="Message.Size"/>, in bytes.</summary>
    public const int PerMessage = MemoryBudget.PerMessage;
}

/// <summary>
/// The most resident memory that clients can make this server take, by its settings: what the process takes without them, and what they can
/// make it keep (<see cref="MemoryShare"/>), as large as the collector lets it become.
/// </summary>
internal sealed class MemoryTotal(IEnumerable<MemoryShare> shares, IOptions<RelayOptions> options, ILogger<MemoryTotal> log)
{
    // Runtime, libraries and code: an idle server, measured, and half as much again.
    private const long Runtime = 128L << 20;

    // The collector lets the heap grow to about twice the live objects before it looks at the oldest generation, and pools keep arrays.
    private const int Headroom = 2;

    private const int UsualDescriptors = 1_024;
    private readonly MemoryShare[] _shares = [.. shares];

    public MemoryStats Stats
    {
        get
        {
            var parts = _shares.Where(share => share.Bytes > 0)
                .ToDictionary(share => share.Name, share => Headroom * share.Bytes, StringComparer.Ordinal);
            parts["runtime"] = Runtime;
            var each = Headroom * _shares.Sum(share => share.PerConnection);
            return new MemoryStats(parts.Values.Sum() + (Connections * each), Connections, each, parts);
        }
    }

    /// <summary>One line, when the server starts.</summary>
    public void Log()
    {
        var stats = Stats;
        var parts = string.Join(", ", stats.Parts.Select(part => $"{part.Key} {Mebibytes(part.Value)} MiB"));
        var why = options.Value.MaxConnections > 0
            ? "Relay:MaxConnections"
            : "the system's limit of descriptors, because Relay:MaxConnections is 0";
        log.MostMemory(Mebibytes(stats.MostBytes), stats.Connections, why, parts, stats.PerConnectionBytes >> 10);
    }

    private int Connections { get; } = options.Value.MaxConnections > 0 ? options.Value.MaxConnections : Descriptors();

    private static long Mebibytes(long bytes) => (bytes + (1 << 20) - 1) >> 20;

    // Linux says it; elsewhere the usual number stands for it.
    private static int Descriptors()
    {
        const string limits = "/proc/self/limits", name = "Max open files";
        var lines = File.Exists(limits) ? File.ReadAllLines(limits) : [];
        if (Array.Find(lines, line => line.StartsWith(name, StringComparison.Ordinal)) is not { } found)
            return UsualDescriptors;
        var soft = found[name.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries)[0];
        return int.TryParse(soft, NumberStyles.None, CultureInfo.InvariantCulture, out var most) ? most : int.MaxValue;
    }
}
