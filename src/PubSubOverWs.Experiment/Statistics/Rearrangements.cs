using MathNet.Numerics;

namespace PubSubOverWs.Experiment.Statistics;

/// <summary>All ways to deal the values of two arms out again, or a seeded draw of them.</summary>
public static class Rearrangements
{
    /// <summary>Up to so many rearrangements all are tried.</summary>
    public const int MostTried = 20_000;

    /// <summary>Beyond that so many are drawn, and the observed one is counted with them.</summary>
    public const int Drawn = 9_999;

    /// <summary>The share of rearrangements whose distance is at least the observed one.</summary>
    /// <param name="values">Both arms, one behind the other.</param>
    /// <param name="first">How many belong to the first arm.</param>
    /// <param name="distance">How far the arms are apart, from 0 on; may be infinite. Does not keep the array.</param>
    /// <param name="seed">Of the draw.</param>
    internal static (double P, PMethod Method) P(double[] values, int first, Func<double[], double> distance, int seed)
    {
        // What is equal by definition may differ by rounding.
        var observed = distance(values) * (1 - 1e-12);
        if (SpecialFunctions.BinomialLn(values.Length, first) > Math.Log(MostTried))
        {
            var random = new Random(seed);
            var drawn = values.ToArray();
            var far = 1;
            for (var i = 0; i < Drawn; i++)
            {
                random.Shuffle(drawn);
                far += distance(drawn) >= observed ? 1 : 0;
            }

            return (far / (Drawn + 1.0), PMethod.Drawn);
        }

        var (all, reached) = (0, 0);
        foreach (var arrangement in All(values, first))
        {
            all++;
            reached += distance(arrangement) >= observed ? 1 : 0;
        }

        return ((double)reached / all, PMethod.Exact);
    }

    // Every choice of the first arm, by ascending indices; one array for all of them.
    private static IEnumerable<double[]> All(double[] values, int first)
    {
        var chosen = Enumerable.Range(0, first).ToArray();
        var dealt = new double[values.Length];
        while (true)
        {
            for (int i = 0, next = 0, left = first; i < values.Length; i++)
            {
                if (next < first && chosen[next] == i)
                    dealt[next++] = values[i];
                else
                    dealt[left++] = values[i];
            }

            yield return dealt;
            var turn = first - 1;
            while (turn >= 0 && chosen[turn] == values.Length - first + turn)
                turn--;
            if (turn < 0)
                yield break;
            chosen[turn]++;
            for (var i = turn + 1; i < first; i++)
                chosen[i] = chosen[i - 1] + 1;
        }
    }
}
