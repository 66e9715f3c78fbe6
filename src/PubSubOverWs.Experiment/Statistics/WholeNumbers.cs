using System.Numerics;

namespace PubSubOverWs.Experiment.Statistics;

/// <summary>Readings in a unit in which all of them are whole numbers, so that sums of them are exact.</summary>
internal static class WholeNumbers
{
    /// <summary>Shares over their common denominator: with as many attempts in each iteration, the counts themselves.</summary>
    /// <param name="shares">Each <c>Part</c> of <c>Whole</c>; of 0 it is 0.</param>
    public static BigInteger[] Of(IReadOnlyCollection<(long Part, long Whole)> shares)
    {
        var common = shares.Select(one => one.Whole).Where(whole => whole > 0).Distinct()
            .Aggregate(BigInteger.One, (all, whole) => all / BigInteger.GreatestCommonDivisor(all, whole) * whole);
        return [.. shares.Select(one => one.Whole == 0 ? BigInteger.Zero : one.Part * (common / one.Whole))];
    }

    /// <summary>Each double as the fraction that it is, over the common power of two.</summary>
    /// <param name="values">Finite.</param>
    public static BigInteger[] Of(IReadOnlyCollection<double> values)
    {
        var parts = values.Select(Split).ToArray();
        var least = parts.Min(part => part.Exponent);
        return [.. parts.Select(part => part.Mantissa << (part.Exponent - least))];
    }

    private static (BigInteger Mantissa, int Exponent) Split(double value)
    {
        if (value == 0)
            return (BigInteger.Zero, 0);
        var exponent = Math.ILogB(value) - 52;
        return (new BigInteger(Math.ScaleB(value, -exponent)), exponent);
    }
}
