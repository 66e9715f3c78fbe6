namespace PubSubOverWs.LoadTest.Harness.Network.Toxics;

/// <summary>Bytes are delayed, in their order.</summary>
/// <param name="Delay">0 to 1 day.</param>
/// <param name="Jitter">Half the range of delays, drawn evenly for each chunk: 0 to <paramref name="Delay"/>.</param>
public sealed record LatencyToxic(TimeSpan Delay, TimeSpan Jitter = default) : Toxic
{
    private const double MostDeviations = 10;

    /// <summary>
    /// The standard deviation of delays, which are then lognormal with the mean <see cref="Delay"/>, drawn for each chunk: 0 (none) to ten
    /// times the delay, and only without a jitter. As bytes stay in order, a chunk that is late holds up those behind it.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public TimeSpan Deviation { get; init; }

    public override IEffect Effect(ToxicContext context) => new Late(this, context.Random);

    protected override string? FindFaultOfValues() => Delay < TimeSpan.Zero || Delay > Longest || Jitter < TimeSpan.Zero || Jitter > Delay
        ? "latency: the delay must be from 0 s to 1 day, and the jitter from 0 s to the delay."
        : Deviation < TimeSpan.Zero || Deviation > Delay * MostDeviations || (Deviation > TimeSpan.Zero && Jitter > TimeSpan.Zero)
            ? "latency: the deviation must be from 0 s to ten times the delay, and goes with no jitter."
            : null;

    private sealed class Late(LatencyToxic toxic, Random random) : IEffect
    {
        private readonly LogNormal? _delays = toxic.Deviation > TimeSpan.Zero
            ? LogNormal.Of(toxic.Delay.TotalMilliseconds, toxic.Deviation.TotalMilliseconds)
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
