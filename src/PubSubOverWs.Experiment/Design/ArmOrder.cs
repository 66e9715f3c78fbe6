namespace PubSubOverWs.Experiment.Design;

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
