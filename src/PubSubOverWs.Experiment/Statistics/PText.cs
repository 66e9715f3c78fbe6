using System.Globalization;

namespace PubSubOverWs.Experiment.Statistics;

/// <summary>A p as reports write it: the same wherever it stands.</summary>
public static class PText
{
    public static string Of(double? p) => p switch
    {
        null => "–",
        0 => "0",
        >= 0.0001 => p.Value.ToString("F4", CultureInfo.InvariantCulture),
        _ => p.Value.ToString("0.00e0", CultureInfo.InvariantCulture),
    };

    /// <summary>
    /// The same, but of the smallest p that a draw can give only that it is below: no rearrangement that was drawn was as far apart.
    /// </summary>
    public static string Of(RankTest? test) =>
        test is { Method: PMethod.Drawn } && test.P <= Rearrangements.SmallestDrawn ? "< 0.0001" : Of(test?.P);

    /// <summary>With the sign that belongs before it, such as <c>p = 0.0325</c> or <c>p &lt; 0.0001</c>.</summary>
    public static string Equation(RankTest test) => Of(test) is var text && text[0] == '<' ? $"p {text}" : $"p = {text}";
}
