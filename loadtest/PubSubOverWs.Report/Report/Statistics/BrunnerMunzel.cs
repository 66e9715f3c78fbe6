using MathNet.Numerics;

namespace PubSubOverWs.Report.Statistics;

/// <summary>
/// The test of Brunner and Munzel (2000): whether one arm tends to be above the other, with arms that may vary differently. Below
/// <see cref="LeastCount"/> values in an arm it is permuted (Neubert and Brunner 2007).
/// </summary>
public static class BrunnerMunzel
{
    /// <summary>From here on the t distribution is near enough.</summary>
    public const int LeastCount = 15;

    /// <returns>Null where there is nothing to test: n below 2 in an arm, or all values equal. Arms that do not overlap have the p of the
    /// two rearrangements that do not.</returns>
    public static RankTest? Test(IReadOnlyCollection<double> a, IReadOnlyCollection<double> b)
    {
        double[] pool = [.. a, .. b];
        if (a.Count < 2 || b.Count < 2 || pool.All(value => value == pool[0]))
            return null;
        var superiority = Ranks.Superiority(Ranks.Compute(pool).AsSpan(a.Count), a.Count);
        bool[] second = [.. pool.Select((_, i) => i >= a.Count)];
        Array.Sort(pool, second);
        var observed = Placements.Compute(pool, second);
        if (observed.Spread == 0)
            return new RankTest(superiority, Math.Min(1, 2 / SpecialFunctions.Binomial(pool.Length, a.Count)), PMethod.Exact);
        if (Math.Min(a.Count, b.Count) >= LeastCount)
            return new RankTest(superiority, StudentTails.TwoSided(observed.T, observed.DegreesOfFreedom), PMethod.Approximate);
        var (p, method) = Rearrangements.P(second, dealt => Placements.Compute(pool, dealt));
        return new RankTest(superiority, p, method);
    }

    /// <summary>
    /// The parts of the statistic, in whole numbers. A placement is how many of the other arm lie below a value, ties counted half; all
    /// are doubled. So T squared is Effect squared over Spread, times what all rearrangements share.
    /// </summary>
    /// <param name="Effect">2 first second (A - 1/2), where A is the superiority of the second arm.</param>
    /// <param name="FirstSquares">n times the sum of squares of the first arm's placements about their mean.</param>
    /// <param name="SecondSquares">n times the sum of squares of the second arm's placements about their mean.</param>
    private readonly record struct Placements(
        int First, int Second, long Effect, long FirstSquares, long SecondSquares) : IComparable<Placements>
    {
        /// <summary>0 where the arms do not overlap: only then does neither vary against the other.</summary>
        public long Spread => (FirstSquares * (Second - 1)) + (SecondSquares * (First - 1));

        public double T => Effect * Math.Sqrt((First - 1.0) * (Second - 1.0) / Spread);

        public double DegreesOfFreedom
        {
            get
            {
                double one = FirstSquares * (Second - 1) / (double)Spread, other = 1 - one;
                return 1 / ((one * one / (First - 1)) + (other * other / (Second - 1)));
            }
        }

        /// <param name="sorted">All values, ascending.</param>
        /// <param name="second">For each of them, whether it is in the second arm.</param>
        public static Placements Compute(double[] sorted, bool[] second)
        {
            long[] seen = new long[2], sum = new long[2], squares = new long[2];
            for (int start = 0, end; start < sorted.Length; start = end)
            {
                long[] tied = [0, 0];
                for (end = start; end < sorted.Length && sorted[end] == sorted[start]; end++)
                    tied[second[end] ? 1 : 0]++;
                for (var arm = 0; arm < 2; arm++)
                {
                    var placement = (2 * seen[1 - arm]) + tied[1 - arm];
                    sum[arm] += tied[arm] * placement;
                    squares[arm] += tied[arm] * placement * placement;
                }

                seen[0] += tied[0];
                seen[1] += tied[1];
            }

            return new Placements(
                (int)seen[0], (int)seen[1], sum[1] - (seen[0] * seen[1]), (seen[0] * squares[0]) - (sum[0] * sum[0]),
                (seen[1] * squares[1]) - (sum[1] * sum[1]));
        }

        /// <summary>By |T|, exactly.</summary>
        public int CompareTo(Placements other) => (Spread, other.Spread) is (0, 0)
            ? 0
            : ((Int128)Effect * Effect * other.Spread).CompareTo((Int128)other.Effect * other.Effect * Spread);
    }
}
