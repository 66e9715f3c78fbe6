namespace PubSubOverWs.Experiment.Design;

/// <summary>
/// SplitMix64 (Steele, Lea and Flood 2014), written out: the same seed must give the same numbers on every runtime, which System.Random
/// does not promise.
/// </summary>
public sealed class SplitMix64(ulong seed)
{
    private ulong _state = seed;

    public ulong Next()
    {
        _state += 0x9E3779B97F4A7C15;
        var z = _state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }

    /// <summary>From 0 to below 1, evenly; of its 53 bits each counts.</summary>
    public double NextShare() => (Next() >> 11) * (1.0 / (1UL << 53));
}
