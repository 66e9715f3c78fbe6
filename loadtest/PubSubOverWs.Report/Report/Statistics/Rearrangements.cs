using MathNet.Numerics;

namespace PubSubOverWs.Report.Statistics;

/// <summary>
/// All ways to deal the values of two arms out again, or a seeded draw of them. Distances are compared exactly: no tolerance decides what
/// is a tie.
/// </summary>
public static class Rearrangements
{
    /// <summary>Up to this number all rearrangements are tried: 10 and 10 values have 184,756.</summary>
    public const int MostTried = 200_000;

    private const int Seed = 1;

    /// <summary>Beyond that, this many are drawn, and the observed one is counted with them.</summary>
    public const int Drawn = 9_999;

    /// <summary>
    /// The smallest p that a draw can give: 1/(<see cref="Drawn"/> + 1). It says that p is below about that, and no more.
    /// </summary>
    public const double SmallestDrawn = 1 / (Drawn + 1.0);

    /// <summary>The share of rearrangements whose distance is at least the observed one.</summary>
    /// <typeparam name="TDistance">Exact, so that distances that are equal by definition compare as equal.</typeparam>
    /// <param name="second">For each value, whether it was read in the second arm.</param>
    /// <param name="distance">How far the arms are apart when dealt out so. Does not keep the array.</param>
    internal static (double P, PMethod Method) P<TDistance>(bool[] second, Func<bool[], TDistance> distance)
        where TDistance : IComparable<TDistance>
    {
        var observed = distance(second);
        var chosen = second.Count(one => one);
        if (SpecialFunctions.BinomialLn(second.Length, chosen) > Math.Log(MostTried))
        {
            var random = new Random(Seed);
            var drawn = second.ToArray();
            var far = 1;
            for (var i = 0; i < Drawn; i++)
            {
                random.Shuffle(drawn);
                far += distance(drawn).CompareTo(observed) >= 0 ? 1 : 0;
            }

            return (far / (Drawn + 1.0), PMethod.Drawn);
        }

        var (all, reached) = (0, 0);
        foreach (var arrangement in All(second.Length, chosen))
        {
            all++;
            reached += distance(arrangement).CompareTo(observed) >= 0 ? 1 : 0;
        }

        return ((double)reached / all, PMethod.Exact);
    }

    // Every choice of the second arm, by ascending indices; one array for all of them.
    private static IEnumerable<bool[]> All(int count, int size)
    {
        var chosen = Enumerable.Range(0, size).ToArray();
        var second = new bool[count];
        while (true)
        {
            Array.Clear(second);
            foreach (var i in chosen)
                second[i] = true;
            yield return second;
            var trial = size - 1;
            while (trial >= 0 && chosen[trial] == count - size + trial)
                trial--;
            if (trial < 0)
                yield break;
            chosen[trial]++;
            for (var i = trial + 1; i < size; i++)
                chosen[i] = chosen[i - 1] + 1;
        }
    }
}
