namespace PubSubOverWs.LoadTest.Harness.Network.Toxics;

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
    public static IReadOnlyList<Toxic> Of(NetworkConditions network)
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
