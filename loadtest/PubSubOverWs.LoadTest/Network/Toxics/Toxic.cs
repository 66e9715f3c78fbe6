using System.Text.Json.Serialization;

namespace PubSubOverWs.LoadTest.Network.Toxics;

/// <summary>A network fault, as data. docs/faults.md has them all, with units and ranges.</summary>
[JsonPolymorphic(TypeDiscriminatorPropertyName = "toxic")]
[JsonDerivedType(typeof(LatencyToxic), "latency")]
[JsonDerivedType(typeof(BandwidthToxic), "bandwidth")]
[JsonDerivedType(typeof(SlicerToxic), "slicer")]
[JsonDerivedType(typeof(LimitToxic), "limit")]
[JsonDerivedType(typeof(StallToxic), "stall")]
[JsonDerivedType(typeof(ResetToxic), "reset")]
[JsonDerivedType(typeof(ChurnToxic), "churn")]
public abstract record Toxic
{
    /// <summary>The longest of all durations: 1 day.</summary>
    protected static readonly TimeSpan Longest = TimeSpan.FromDays(1);

    /// <summary>The direction of the bytes it applies to, or the side that sees its reset. Default: both.</summary>
    public Direction Direction { get; init; } = Direction.Both;

    /// <summary>How likely it is applied to a connection, drawn once for each: 0 to 1. Default: 1, every connection.</summary>
    public double Probability { get; init; } = 1;

    /// <summary>What is wrong with its values and what is allowed, as one sentence; null: nothing is.</summary>
    public string? FindFault() =>
        Probability is not (>= 0 and <= 1) ? "The probability of a toxic is from 0 to 1."
        : Direction is Direction.None or > Direction.Both ? "The direction of a toxic is to-server, to-client or both."
        : FindFaultOfValues();

    /// <summary>What it does to the bytes of one direction; null: nothing. Each call begins anew.</summary>
    public virtual IEffect? Effect(ToxicContext context) => null;

    /// <summary>When it resets the connection, on the proxy's clock; null: never.</summary>
    public virtual TimeSpan? ResetAt(ToxicContext context) => null;

    protected abstract string? FindFaultOfValues();
}

/// <summary>Which way bytes go through the proxy.</summary>
[Flags]
public enum Direction
{
    /// <summary>Neither way.</summary>
    None = 0,

    /// <summary>From the client to the server.</summary>
    ToServer = 1,

    /// <summary>From the server to the client.</summary>
    ToClient = 2,

    /// <summary>Both ways.</summary>
    Both = ToServer | ToClient,
}
