namespace PubSubOverWs.LoadTest.Harness.Network;

/// <summary>A network fault, as data. docs/reference/faults.md lists them, with units and ranges.</summary>
[JsonPolymorphic(TypeDiscriminatorPropertyName = "toxic")]
[JsonDerivedType(typeof(LatencyToxic), "latency")]
[JsonDerivedType(typeof(BandwidthToxic), "bandwidth")]
[JsonDerivedType(typeof(SlicerToxic), "slicer")]
[JsonDerivedType(typeof(LimitToxic), "limit")]
[JsonDerivedType(typeof(LossToxic), "loss")]
[JsonDerivedType(typeof(StallToxic), "stall")]
[JsonDerivedType(typeof(ResetToxic), "reset")]
[JsonDerivedType(typeof(ChurnToxic), "churn")]
public abstract record Toxic
{
    protected static readonly TimeSpan Longest = TimeSpan.FromDays(1);

    /// <summary>The direction of the affected bytes, or the side that sees the reset. Default: both.</summary>
    public Direction Direction { get; init; } = Direction.Both;

    /// <summary>The probability that it applies to a connection, drawn once for each: 0 to 1. Default: 1.</summary>
    public double Probability { get; init; } = 1;

    /// <summary>The error and the allowed values, in one sentence; null: the values are valid.</summary>
    public string? FindFault() =>
        Probability is not (>= 0 and <= 1) ? "The probability of a toxic must be from 0 to 1."
        : Direction is Direction.None or > Direction.Both ? "The direction of a toxic must be to-server, to-client or both."
        : FindFaultOfValues();

    /// <summary>A new effect on the bytes of one direction; null: none.</summary>
    public virtual IEffect? Effect(ToxicContext context) => null;

    /// <summary>When it resets the connection, on the proxy's clock; null: never.</summary>
    public virtual TimeSpan? ResetAt(ToxicContext context) => null;

    protected abstract string? FindFaultOfValues();
}

/// <summary>The toxics that emulate the network conditions of a scenario.</summary>
public static class NetworkToxics
{
    public static IReadOnlyList<Toxic> From(NetworkConditions network)
    {
        var toxics = new List<Toxic>();
        if (network.SliceBytes is { } bytes)
            toxics.Add(new SlicerToxic(bytes));
        if (network.BytesPerSecond is { } rate)
            toxics.Add(new BandwidthToxic(rate));
        if (network.Latency is { } latency)
            toxics.Add(new LatencyToxic(latency, network.Jitter) { Deviation = network.LatencyDeviation });
        if (network.LostShare > 0)
            toxics.Add(new LossToxic(network.LostShare, network.ResentAfter));
        if (network.StallEvery is { } stall)
            toxics.Add(new StallToxic(stall, network.StallFor)
            {
                Direction = network.StallsUplinkOnly ? Direction.ToServer : Direction.Both,
            });
        if (network.ResetAfter is { } reset)
            toxics.Add(new ResetToxic(reset, network.ResetJitter) { Probability = network.ResetShare });
        if (network.CutEvery is { } cut)
            toxics.Add(new ChurnToxic(cut));
        return toxics;
    }
}

/// <summary>Bytes are delayed, in their order.</summary>
/// <param name="Delay">0 to 1 day.</param>
/// <param name="Jitter">Half the range of delays, drawn evenly for each chunk: 0 to <paramref name="Delay"/>.</param>
public sealed record LatencyToxic(TimeSpan Delay, TimeSpan Jitter = default) : Toxic
{
    private const double MaxDeviations = 10;

    /// <summary>
    /// The standard deviation of delays, which are then lognormal with the mean <see cref="Delay"/>, drawn for each chunk: 0 (none) to ten
    /// times the delay, and only without a jitter. As bytes stay in order, a chunk that is late holds up those behind it.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public TimeSpan Deviation { get; init; }

    public override IEffect Effect(ToxicContext context) => new Late(this, context.Random);

    protected override string? FindFaultOfValues() => Delay < TimeSpan.Zero || Delay > Longest || Jitter < TimeSpan.Zero || Jitter > Delay
        ? "latency: the delay must be from 0 s to 1 day, and the jitter from 0 s to the delay."
        : Deviation < TimeSpan.Zero || Deviation > Delay * MaxDeviations || (Deviation > TimeSpan.Zero && Jitter > TimeSpan.Zero)
            ? "latency: the deviation must be from 0 s to ten times the delay, and goes with no jitter."
            : null;

    private sealed class Late(LatencyToxic toxic, Random random) : IEffect
    {
        private readonly LogNormal? _delays = toxic.Deviation > TimeSpan.Zero
            ? LogNormal.From(toxic.Delay.TotalMilliseconds, toxic.Deviation.TotalMilliseconds)
            : null;

        private TimeSpan _last = TimeSpan.MinValue;

        public void Take(Piece piece, List<Piece> output)
        {
            var delay = _delays is { } delays
                ? TimeSpan.FromMilliseconds(delays.Draw(random))
                : toxic.Delay + (toxic.Jitter * ((2 * random.NextDouble()) - 1));
            var late = (piece with { Due = piece.Due + delay }).NotBefore(_last);
            _last = late.Due;
            output.Add(late);
        }
    }
}

/// <summary>
/// A packet loss, as a TCP connection shows it: some chunks come later by a retransmission time-out, and hold up those behind them.
/// </summary>
/// <param name="Share">The probability that a chunk is late, drawn for each: 0 to 1.</param>
/// <param name="After">The time-out: 0 s to 1 day.</param>
/// <remarks>A chunk is what was read at once: of small messages one, or some that came together.</remarks>
public sealed record LossToxic(double Share, TimeSpan After) : Toxic
{
    public override IEffect Effect(ToxicContext context) => new Lossy(this, context.Random);

    protected override string? FindFaultOfValues() => Share is >= 0 and <= 1 && After >= TimeSpan.Zero && After <= Longest
        ? null
        : "loss: the share must be from 0 to 1, and after from 0 s to 1 day.";

    private sealed class Lossy(LossToxic toxic, Random random) : IEffect
    {
        private TimeSpan _last = TimeSpan.MinValue;

        public void Take(Piece piece, List<Piece> output)
        {
            var isLost = random.NextDouble() < toxic.Share;
            var passed = (isLost ? piece with { Due = piece.Due + toxic.After } : piece).NotBefore(_last);
            _last = passed.Due;
            output.Add(passed);
        }
    }
}

/// <summary>The connection stalls periodically.</summary>
/// <param name="Every">From the start of one stall to the next: 1 ms to 1 day. The phase is drawn evenly for each connection.</param>
/// <param name="For">The length of a stall: 0 s to <paramref name="Every"/>, at which nothing passes after the first.</param>
public sealed record StallToxic(TimeSpan Every, TimeSpan For) : Toxic
{
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    public override IEffect Effect(ToxicContext context) => new Stalled(this, context.Now + (Every * context.Random.NextDouble()));

    protected override string? FindFaultOfValues() => Every >= Shortest && Every <= Longest && For >= TimeSpan.Zero && For <= Every
        ? null
        : "stall: every must be from 1 ms to 1 day, and for from 0 s to every.";

    private sealed class Stalled(StallToxic toxic, TimeSpan first) : IEffect
    {
        public void Take(Piece piece, List<Piece> output) =>
            output.Add(piece.Due < first ? piece : piece.NotBefore(Passes(piece.Due - first)));

        private TimeSpan Passes(TimeSpan sinceFirst)
        {
            if (toxic.For == toxic.Every)
                return first + Longest;
            var stall = TimeSpan.FromTicks(sinceFirst.Ticks / toxic.Every.Ticks * toxic.Every.Ticks);
            return first + stall + toxic.For;
        }
    }
}

/// <summary>Bytes pass at a limited rate: each when its last bit would have passed a wire of this bandwidth.</summary>
/// <param name="BytesPerSecond">1 to 1,000,000,000.</param>
public sealed record BandwidthToxic(long BytesPerSecond) : Toxic
{
    private const long Fastest = 1_000_000_000;

    // In smaller pieces than chunks, for an even flow.
    private const long PiecesPerSecond = 20;

    public override IEffect Effect(ToxicContext context) => new Slow(BytesPerSecond);

    protected override string? FindFaultOfValues() => BytesPerSecond is >= 1 and <= Fastest
        ? null
        : "bandwidth: bytesPerSecond must be from 1 to 1,000,000,000.";

    private sealed class Slow(long bytesPerSecond) : IEffect
    {
        private readonly int _most = (int)Math.Max(1, bytesPerSecond / PiecesPerSecond);
        private TimeSpan _busySince = TimeSpan.MinValue;
        private TimeSpan _free = TimeSpan.MinValue;
        private long _bytes;

        public void Take(Piece piece, List<Piece> output)
        {
            // Counted from when the wire was last idle, so that rounding errors do not add up.
            if (piece.Due >= _free)
                (_busySince, _bytes) = (piece.Due, 0);
            do
            {
                (var first, piece) = piece.Split(_most);
                _bytes += first.Length;
                _free = _busySince + TimeSpan.FromTicks(_bytes * TimeSpan.TicksPerSecond / bytesPerSecond);
                output.Add(first with { Due = _free });
            }
            while (piece.Length > 0);
        }
    }
}

/// <summary>Bytes pass in slices: what was sent together is received in parts.</summary>
/// <param name="Bytes">The mean size of a slice: 1 to 65,536.</param>
/// <param name="Variation">Half the range of sizes, drawn evenly for each slice: 0 to <paramref name="Bytes"/> - 1.</param>
/// <param name="Delay">The minimum time between slices: 0 to 1 day. At 0 the system may join slices again.</param>
public sealed record SlicerToxic(int Bytes, int Variation = 0, TimeSpan Delay = default) : Toxic
{
    private const int Largest = 65_536;

    public override IEffect Effect(ToxicContext context) => new Sliced(this, context.Random);

    protected override string? FindFaultOfValues() =>
        Bytes is >= 1 and <= Largest && Variation >= 0 && Variation < Bytes && Delay >= TimeSpan.Zero && Delay <= Longest
            ? null
            : "slicer: bytes must be from 1 to 65,536, the variation from 0 to bytes - 1, and the delay from 0 s to 1 day.";

    private sealed class Sliced(SlicerToxic toxic, Random random) : IEffect
    {
        private TimeSpan _next = TimeSpan.MinValue;

        public void Take(Piece piece, List<Piece> output)
        {
            do
            {
                (var first, piece) = piece.Split(toxic.Bytes + random.Next(-toxic.Variation, toxic.Variation + 1));
                var slice = first.NotBefore(_next);
                _next = slice.Due + toxic.Delay;
                output.Add(slice);
            }
            while (piece.Length > 0);
        }
    }
}

/// <summary>The connection is closed after a number of bytes, possibly in the middle of a message.</summary>
/// <param name="Bytes">In each direction, counted from when the toxic was applied: 0 or more; at 0 the first byte ends it.</param>
public sealed record LimitToxic(long Bytes) : Toxic
{
    public override IEffect Effect(ToxicContext context) => new Limited(Bytes);

    protected override string? FindFaultOfValues() => Bytes >= 0 ? null : "limit: bytes must be 0 or more.";

    private sealed class Limited(long left) : IEffect
    {
        private bool _ended;

        public void Take(Piece piece, List<Piece> output)
        {
            if (_ended)
                return;
            _ended = piece.Ends || (piece.Length >= left && piece.Length > 0);
            var length = (int)Math.Min(piece.Length, left);
            left -= length;
            output.Add(piece with { Length = length, Ends = _ended });
        }
    }
}

/// <summary>The connection is reset once (RST): bytes in transit in either direction are lost.</summary>
/// <param name="After">From when the toxic was applied to the connection: 0 s to 1 day.</param>
/// <param name="Jitter">Half the range of times, drawn evenly for each connection: 0 s to <paramref name="After"/>.</param>
/// <remarks>The direction names the side that sees the reset; the other side sees an ordinary close.</remarks>
public sealed record ResetToxic(TimeSpan After, TimeSpan Jitter = default) : Toxic
{
    public override TimeSpan? ResetAt(ToxicContext context) => context.Now + After + (Jitter * ((2 * context.Random.NextDouble()) - 1));

    protected override string? FindFaultOfValues() => After >= TimeSpan.Zero && After <= Longest && Jitter >= TimeSpan.Zero
        && Jitter <= After
        ? null
        : "reset: after must be from 0 s to 1 day, and the jitter from 0 s to after.";
}

/// <summary>
/// Every connection is reset after <paramref name="Every"/>, those that are open when churn begins after an evenly drawn part of it. A
/// client that stays away for W is thus connected for Every, away for W, and so on, with a phase that is drawn once.
/// </summary>
/// <param name="Every">How long a connection lasts: 1 ms to 1 day.</param>
/// <remarks>A new phase for every connection would halve the time that clients are connected, and so change what is lost.</remarks>
public sealed record ChurnToxic(TimeSpan Every) : Toxic
{
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    public override TimeSpan? ResetAt(ToxicContext context) =>
        context.Now + (context.AtOpening ? Every : Every * context.Random.NextDouble());

    protected override string? FindFaultOfValues() =>
        Every >= Shortest && Every <= Longest ? null : "churn: every must be from 1 ms to 1 day.";
}
