using Microsoft.Extensions.Options;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.Relay;

/// <summary>
/// One part of the most memory that clients can make a server take, by its settings. Each part of the server registers its own with the
/// services.
/// </summary>
/// <param name="Name">As the log and <c>/stats</c> show it.</param>
/// <param name="Bytes">At most, for all connections together.</param>
/// <param name="PerConnection">At most, in addition, for each connection.</param>
public sealed record MemoryPart(string Name, long Bytes, long PerConnection = 0)
{
    /// <summary>The memory of a message in addition to <see cref="Message.Size"/>, in bytes.</summary>
    public const int PerMessage = MemoryBudget.PerMessage;
}

/// <summary>
/// The most resident memory that clients can make this server take, by its settings: what the process takes without them, and what they can
/// make it keep (<see cref="MemoryPart"/>), as large as the collector lets it become.
/// </summary>
internal sealed class MemoryTotal(IEnumerable<MemoryPart> parts, IOptions<RelayOptions> options, ILogger<MemoryTotal> log)
{
    // Runtime, libraries and code: an idle server, measured, and half as much again.
    private const long Runtime = 128L << 20;

    // The collector lets the heap grow to about twice the live objects before it looks at the oldest generation, and pools keep arrays.
    private const int Headroom = 2;

    private const int UsualDescriptors = 1_024;
    private readonly MemoryPart[] _parts = [.. parts];
    private int? _connections;

    public MemoryStats Stats
    {
        get
        {
            var parts = _parts.Where(part => part.Bytes > 0)
                .ToDictionary(part => part.Name, part => Headroom * part.Bytes, StringComparer.Ordinal);
            parts["runtime"] = Runtime;
            var each = Headroom * _parts.Sum(part => part.PerConnection);
            return new MemoryStats(parts.Values.Sum() + (Connections * each), Connections, each, parts);
        }
    }

    /// <summary>One line, when the server starts.</summary>
    public void Log()
    {
        var stats = Stats;
        var parts = string.Join(", ", stats.Parts.Select(part => $"{part.Key} {Mebibytes(part.Value)} MiB"));
        var why = Connections == options.Value.MaxConnections ? "Relay:MaxConnections" : "the system's limit of descriptors";
        log.MaxMemory(Mebibytes(stats.MostBytes), stats.Connections, why, parts, stats.PerConnectionBytes >> 10);
        if (options.Value.MaxConnections > Connections)
            log.FewDescriptors(Descriptors.Limit, Connections, options.Value.MaxConnections);
    }

    // Looked at when the server starts: what it has open then is its own.
    private int Connections => _connections ??= (options.Value.MaxConnections, Descriptors.ForConnections) switch
    {
        (0, var free) => free ?? UsualDescriptors,
        (var max, var free) => Math.Min(max, free ?? max),
    };

    private static long Mebibytes(long bytes) => (bytes + (1 << 20) - 1) >> 20;
}
