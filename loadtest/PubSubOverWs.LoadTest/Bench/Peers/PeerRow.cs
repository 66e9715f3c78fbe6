using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Bench.Peers;

/// <summary>One figure of every server that has it.</summary>
/// <param name="Id">On the command line.</param>
/// <param name="Title">What is measured.</param>
/// <param name="Unit">Of its values.</param>
/// <param name="Digits">Behind the point.</param>
/// <param name="IsCost">Less is better.</param>
/// <param name="Peers">Servers beside ours.</param>
/// <param name="Goals">What is asked of ours.</param>
internal sealed record PeerRow(
    string Id, string Title, string Unit, int Digits, bool IsCost, IReadOnlyList<string> Peers, params IReadOnlyList<PeerGoal> Goals)
{
    public const string Framework = "framework";
    public const string Lean = "lean";

    public const string Nats = "nats-server";
    public const string Mosquitto = "mosquitto";
    public const string Nchan = "nginx with nchan";
    public const string Ws = "ws";

    /// <summary>Our front ends, as the setting <c>Relay:FrontEnd</c> has them.</summary>
    public static IReadOnlyList<string> Ours { get; } = [Framework, Lean];

    public static PeerRow Cpu { get; } = new(
        "cpu", "CPU of the server per round trip, one message per write", "us", 2, true, [PeerList.Echo, Nats, Mosquitto],
        PeerGoal.AtMost(Framework, 0.95, PeerList.Echo), PeerGoal.AtMost(Lean, 1, Nats));

    public static PeerRow CpuTogether { get; } = new(
        "cpu-together", "CPU of the server per round trip, all under way in one write", "us", 2, true,
        [PeerList.Echo, Nats, Mosquitto],
        PeerGoal.AtMost(Framework, 1.15, PeerList.Echo), PeerGoal.AtMost(Lean, 1, Nats));

    public static PeerRow IdleMemory { get; } = new(
        "idle-memory", "memory of an idle connection", "KiB", 1, true, [PeerList.Echo, Nats, Mosquitto, Ws],
        PeerGoal.MoreAtMost(Framework, 1, PeerList.Echo), PeerGoal.AtMost(Lean, 7.5));

    public static PeerRow IdleCpu { get; } = new(
        "idle-cpu", "CPU of idle connections", "ms/s", 2, true, [PeerList.Echo, Nats],
        PeerGoal.AtMost(Framework, 15), PeerGoal.AtMost(Lean, 5));

    public static PeerRow Connects { get; } = new(
        "connects", "connections opened", "/s", 0, false, [PeerList.Echo, Nchan],
        PeerGoal.AtLeast(Framework, 0.9, PeerList.Echo), PeerGoal.AtLeast(Lean, 12_000));

    public static PeerRow FanOut { get; } = new(
        "fan-out", "highest rate of deliveries to all subscribers with p99 < 100 ms", "/s", 0, false, [Nats],
        PeerGoal.AtLeast(Framework, 0.8, Nats), PeerGoal.AtLeast(Lean, 1, Nats));

    public static PeerRow PubSub { get; } = new(
        PubSubTarget.Kind, $"{PubSubTarget.Kind} with LocalSqs: round trips per CPU second of both", "", 0, false, []);

    public static PeerRow PubSubPacked { get; } = new(
        $"{PubSubTarget.Kind}-packed", $"{PubSubTarget.Kind} with LocalSqs, packed by 50: round trips per CPU second of both", "", 0, false,
        []);

    public static PeerRow PubSubStart { get; } = new(
        $"{PubSubTarget.Kind}-start", $"{PubSubTarget.Kind}: round trips/s of the first 3 s after it is ready, over warm", "", 2, false,
        []);

    public static IReadOnlyList<PeerRow> All { get; } =
        [Cpu, CpuTogether, IdleMemory, IdleCpu, Connects, FanOut, PubSub, PubSubPacked, PubSubStart];

    /// <exception cref="InvalidOperationException">There is no such row.</exception>
    public static PeerRow Of(string id) => All.Single(row => row.Id == id);

    public string Format(double value) => value.ToString($"N{Digits}", System.Globalization.CultureInfo.InvariantCulture);
}

/// <summary>What is asked of one of our servers, in the unit of its row or, with a peer, as a ratio to it.</summary>
/// <param name="Server">One of <see cref="PeerRow.Ours"/>.</param>
/// <param name="Kind">How both are compared.</param>
/// <param name="Bound">The most or the least.</param>
/// <param name="Peer">Null: the value itself is asked for.</param>
internal sealed record PeerGoal(string Server, PeerGoalKind Kind, double Bound, string? Peer)
{
    public static PeerGoal AtMost(string server, double bound, string? peer = null) => new(server, PeerGoalKind.AtMost, bound, peer);

    public static PeerGoal AtLeast(string server, double bound, string? peer = null) => new(server, PeerGoalKind.AtLeast, bound, peer);

    /// <summary>So much above the peer.</summary>
    public static PeerGoal MoreAtMost(string server, double bound, string peer) => new(server, PeerGoalKind.MoreAtMost, bound, peer);

    /// <summary>Such as <c>lean / nats-server at most 1</c>.</summary>
    public string Text => Kind switch
    {
        PeerGoalKind.MoreAtMost => Invariant($"{Server} - {Peer} at most {Bound:#,0.##}"),
        PeerGoalKind.AtMost => Invariant($"{Ratio} at most {Bound:#,0.##}"),
        _ => Invariant($"{Ratio} at least {Bound:#,0.##}"),
    };

    private string Ratio => Peer is null ? Server : $"{Server} / {Peer}";

    /// <summary>Null: one of them was not measured.</summary>
    public PeerEstimate? Estimate(RowFigures figures)
    {
        var ours = figures.ValuesOf(Server);
        if (ours.Count == 0)
            return null;
        if (Peer is null)
            return PeerEstimate.OfMean(ours);
        var pairs = figures.Pairs(Server, Peer);
        return pairs.Count == 0 ? null
            : Kind == PeerGoalKind.MoreAtMost ? PeerEstimate.OfMean([.. pairs.Select(pair => pair.Ours - pair.Peer)])
            : PeerEstimate.OfRatio(pairs);
    }

    /// <summary>True: reached. False: missed. Null: the interval holds the bound.</summary>
    public bool? Judge(PeerEstimate estimate)
    {
        var (low, high) = estimate.Interval is { } interval ? (interval.Low, interval.High) : (estimate.Value, estimate.Value);
        return Kind == PeerGoalKind.AtLeast
            ? low >= Bound ? true : high < Bound ? false : null
            : high <= Bound ? true : low > Bound ? false : null;
    }
}

internal enum PeerGoalKind
{
    AtMost,
    AtLeast,

    /// <summary>The difference to the peer is at most this.</summary>
    MoreAtMost,
}

/// <summary>A figure over all pairs.</summary>
/// <param name="Interval">Of 95 %; null: there is one pair only, or the peer's figure is not clear of 0.</param>
internal sealed record PeerEstimate(double Value, Interval? Interval)
{
    private const double Confidence = 0.95;

    /// <param name="values">At least one.</param>
    public static PeerEstimate OfMean(IReadOnlyCollection<double> values)
    {
        var moments = Moments.Of(values);
        return new(moments.Mean, PairedTest.Difference(moments, Confidence));
    }

    /// <summary>The mean of ours over the mean of the peer's, with Fieller's interval of pairs.</summary>
    /// <returns>Null: the peer's mean is 0.</returns>
    public static PeerEstimate? OfRatio(IReadOnlyList<(double Ours, double Peer)> pairs) =>
        Ratio.Of(Moments.Of([.. pairs.Select(pair => pair.Peer)]), Moments.Of([.. pairs.Select(pair => pair.Ours)])) is { } ratio
            ? new(ratio, Ratio.PairedFieller([.. pairs.Select(pair => (pair.Peer, pair.Ours))], Confidence))
            : null;
}
