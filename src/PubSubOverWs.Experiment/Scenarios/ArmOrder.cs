namespace PubSubOverWs.Experiment.Scenarios;

/// <summary>
/// Shuffles the arms of each pair. SplitMix64 (Steele, Lea and Flood 2014), written out: the same seed must give the same order on
/// every runtime, which System.Random does not promise.
/// </summary>
public sealed class ArmOrder(long seed)
{
    private ulong _state = (ulong)seed;

    /// <summary>The arms in the order in which they run next; every order is equally likely.</summary>
    public IReadOnlyList<string> Next(IReadOnlyList<string> arms)
    {
        var order = arms.ToArray();
        for (var i = order.Length - 1; i > 0; i--)
        {
            // Two arms make the modulo exact; with a few more its bias is below 1e-18.
            var j = (int)(NextNumber() % (ulong)(i + 1));
            (order[i], order[j]) = (order[j], order[i]);
        }

        return order;
    }

    private ulong NextNumber()
    {
        _state += 0x9E3779B97F4A7C15;
        var z = _state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
}
