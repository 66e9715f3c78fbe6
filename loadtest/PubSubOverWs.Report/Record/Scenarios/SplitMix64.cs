namespace PubSubOverWs.Record.Scenarios;

/// <summary>
/// SplitMix64 (Steele, Lea and Flood 2014), written out: the same seed must give the same numbers on every runtime, which System.Random
/// does not promise.
/// </summary>
public sealed class SplitMix64(ulong seed)
{
    private const ulong Step = 0x9E3779B97F4A7C15;

    private ulong _state = seed;

    /// <summary>The number at a place of the sequence of a seed, from 0, without those before it.</summary>
    public static ulong At(ulong seed, ulong place) => Mix(seed + ((place + 1) * Step));

    public ulong Next() => Mix(_state += Step);

    /// <summary>From 0 to below 1, evenly; of its 53 bits each counts.</summary>
    public double NextShare() => (Next() >> 11) * (1.0 / (1UL << 53));

    private static ulong Mix(ulong z)
    {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
}

/// <summary>Shuffles the arms of each pair: the same seed gives the same order on every runtime.</summary>
public sealed class ArmOrder(long seed)
{
    private readonly SplitMix64 _numbers = new((ulong)seed);

    /// <summary>The arms in the order in which they run next; every order is equally likely.</summary>
    public IReadOnlyList<string> Next(IReadOnlyList<string> arms)
    {
        var order = arms.ToArray();
        for (var i = order.Length - 1; i > 0; i--)
        {
            // Two arms make the modulo exact; with a few more its bias is below 1e-18.
            var j = (int)(_numbers.Next() % (ulong)(i + 1));
            (order[i], order[j]) = (order[j], order[i]);
        }

        return order;
    }
}
