namespace PubSubOverWs.Experiment.Metrics;

/// <summary>A measured value as a quotient, so that counts are compared exactly and nothing is rounded.</summary>
/// <param name="Numerator">Such as messages lost.</param>
/// <param name="Denominator">Such as messages sent; positive, and 1 for what is no rate.</param>
public readonly record struct Quotient(decimal Numerator, decimal Denominator)
{
    public decimal Value => Numerator / Denominator;

    /// <summary>Null: divided by zero.</summary>
    public static Quotient? Divide(Quotient left, Quotient right) =>
        right.Numerator <= 0 ? null : new Quotient(left.Numerator * right.Denominator, left.Denominator * right.Numerator);

    /// <summary>Below zero, zero or above: as this is less than, equal to or more than <paramref name="limit"/>.</summary>
    public int CompareTo(decimal limit) => Numerator.CompareTo(limit * Denominator);
}
