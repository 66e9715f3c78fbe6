using System.Text.RegularExpressions;

namespace PubSubOverWs.Record.Scenarios;

/// <summary>The largest difference between two equivalent values: <c>10%</c>, <c>2ms</c> or the sum of both, <c>10% + 2ms</c>.</summary>
/// <param name="Share">Of the other run's value, as a fraction of 1; 0 for a loss.</param>
/// <param name="Absolute">Microseconds, bytes, or for a loss a fraction of the attempts.</param>
public sealed partial record Margin(decimal Share, decimal Absolute, string Text)
{
    /// <summary>A share, a time with us, ms or s, or both.</summary>
    /// <exception cref="ScenarioException">It is none of these, or not above 0.</exception>
    public static Margin OfLatency(string text) => Read("latency", text, "such as 10%, 2ms or 10% + 2ms", LatencyUnit.Microseconds);

    /// <summary>For bytes per delivered message: a share, a number of bytes, or both.</summary>
    /// <exception cref="ScenarioException">It is none of these, or not above 0.</exception>
    public static Margin OfBytes(string text) => Read("bytes", text, "such as 0.4%, 1 or 0.4% + 1", unit => unit.Length == 0 ? 1 : null);

    /// <summary>Percentage points. A share is not allowed: of a loss of 0 it would be 0.</summary>
    /// <exception cref="ScenarioException">It is no percentage, or not above 0.</exception>
    public static Margin OfLoss(string text)
    {
        var points = Read("loss", text, "as points of a percentage, such as 0.1%", _ => null);
        return points with { Share = 0, Absolute = points.Share };
    }

    public override string ToString() => Text;

    private static Margin Read(string key, string text, string allowed, Func<string, decimal?> unit)
    {
        var match = Grammar().Match(text);
        var share = Number(match, "share") / 100;
        var absolute = Number(match, "number") * (match.Groups["number"].Success ? unit(match.Groups["unit"].Value) : 1);
        if (match.Success && absolute is { } added && share is >= 0 and < 1 && share + added > 0)
            return new Margin(share, added, text.Trim());
        throw new ScenarioException($"'margins.{key}' is '{text}': write it {allowed}, above 0 and below 100%.");
    }

    // Nine digits before the point are enough; more might overflow a decimal when multiplied.
    private static decimal Number(Match match, string group) =>
        match.Groups[group] is { Success: true, Value: var digits }
            ? decimal.Parse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture)
            : 0;

    [GeneratedRegex(
        @"^\s*(?=\S)(?:(?<share>\d{1,9}(?:\.\d{1,9})?)\s*%)?\s*(?:(?(share)\+)\s*(?<number>\d{1,9}(?:\.\d{1,9})?)\s*"
            + @"(?<unit>us|ms|s)?)?\s*$", RegexOptions.CultureInvariant)]
    private static partial Regex Grammar();
}

/// <summary>The margins of a scenario. Null: none, so that nothing is shown to be equivalent.</summary>
/// <param name="Latency">Of mean latency.</param>
/// <param name="Bytes">Of bytes to clients per delivered message.</param>
/// <param name="Loss">Of the loss rate.</param>
public sealed record Margins(Margin? Latency = null, Margin? Bytes = null, Margin? Loss = null)
{
    public static Margins None { get; } = new();
}
