using System.Globalization;
using System.Text.RegularExpressions;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Gates;

/// <summary>A condition on the loss of one arm: <c>pubsub.loss == 0</c>, <c>direct.loss &lt;= 0.5%</c>.</summary>
/// <param name="Arm">direct or pubsub.</param>
/// <param name="MaxPercent">The largest end-to-end loss that passes, in percent, exact as written; 0: not one attempt may be lost.</param>
/// <param name="Text">As it was written, without spaces at the ends.</param>
public sealed partial record Gate(string Arm, decimal MaxPercent, string Text)
{
    private const string Allowed =
        "write 'X.loss == 0' or 'X.loss <= 0.5%', with X one of direct and pubsub and a percentage from 0% to 100%";

    /// <exception cref="GateException">It is not one of the two forms.</exception>
    public static Gate Parse(string text)
    {
        var match = Grammar().Match(text);
        if (!match.Success)
            throw new GateException($"The gate '{text}' cannot be read: {Allowed}.");
        var arm = match.Groups["arm"].Value;
        if (arm is not (Arms.Direct or Arms.PubSub))
            throw new GateException($"The gate '{text}' names '{arm}', which is no arm: {Allowed}.");
        if (match.Groups["zero"].Success)
            return new Gate(arm, 0, text.Trim());
        if (!decimal.TryParse(match.Groups["percent"].Value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var percent) || percent > 100)
            throw new GateException($"The gate '{text}' allows more than can be lost: {Allowed}.");
        return new Gate(arm, percent, text.Trim());
    }

    /// <summary>Whether <paramref name="lost"/> of <paramref name="attempts"/> is allowed. Exact: nothing is rounded.</summary>
    public bool Allows(long lost, long attempts) => lost * 100m <= MaxPercent * attempts;

    [GeneratedRegex(@"^\s*(?<arm>[A-Za-z]+)\s*\.\s*loss\s*(?:==\s*(?<zero>0+(?:\.0+)?)\s*%?|<=\s*(?<percent>\d+(?:\.\d+)?)\s*%)\s*$", RegexOptions.CultureInvariant)]
    private static partial Regex Grammar();
}
