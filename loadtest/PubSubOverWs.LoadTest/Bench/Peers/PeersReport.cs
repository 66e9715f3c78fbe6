namespace PubSubOverWs.LoadTest.Bench.Peers;

/// <summary>The figures of <c>bench peers</c> as they stand in its JSON.</summary>
internal sealed record PeersReport
{
    /// <summary>When the bench began.</summary>
    public DateTimeOffset Started { get; init; }

    public required MachineRecord Machine { get; init; }

    public required PeersPlan Plan { get; init; }

    /// <summary>Of all rows.</summary>
    public required IReadOnlyList<PeerState> Servers { get; init; }

    public IReadOnlyList<RowFigures> Rows { get; init; } = [];
}

/// <summary>A server of the table.</summary>
/// <param name="Name">framework, lean, or that of a peer.</param>
/// <param name="Version">Null: it is not here, or comes with this program.</param>
/// <param name="Missing">Why it has no figures, and what to do; null: it has.</param>
internal sealed record PeerState(string Name, string? Version, string? Missing);

/// <summary>The values of one row; of fewer pairs than planned when the bench was stopped or a server failed.</summary>
/// <param name="Row">The id of the row.</param>
/// <param name="Values">In the order in which they were measured.</param>
internal sealed record RowFigures(string Row, IReadOnlyList<PeerValue> Values)
{
    /// <summary>Servers that failed meanwhile, with the reason.</summary>
    public IReadOnlyDictionary<string, string> Failed { get; init; } = new Dictionary<string, string>();

    public IReadOnlyList<double> ValuesOf(string server) =>
        [.. Values.Where(value => value.Server == server).OrderBy(value => value.Pair).Select(value => value.Value)];

    /// <summary>Of pairs that have both.</summary>
    public IReadOnlyList<(double Ours, double Peer)> Pairs(string ours, string peer) =>
    [
        .. Values.Where(value => value.Server == ours).Join(
            Values.Where(value => value.Server == peer), value => value.Pair, value => value.Pair,
            (one, other) => (one.Value, other.Value)),
    ];
}

/// <summary>One leg of a server.</summary>
/// <param name="Pair">From 1.</param>
internal sealed record PeerValue(string Server, int Pair, double Value);
