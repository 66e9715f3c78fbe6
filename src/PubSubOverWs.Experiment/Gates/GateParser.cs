using System.Globalization;
using System.Text.RegularExpressions;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.Experiment.Gates;

/// <summary>Reads a gate as it is written in a scenario or on the command line.</summary>
internal static partial class GateParser
{
    private static readonly string Allowed =
        $"write 'X.loss == 0', 'X.loss <= 0.5%', 'X.latency.p99 < 250ms' or 'pubsub.M / direct.M < 8', or against a baseline "
            + "'X.latency.p99 <= baseline * 1.10 + 2ms', with 'warn:' before it when it is not to fail; X is direct, pubsub or "
            + $"{Arms.Buffered}, M one of {string.Join(", ", GateMetric.All.Select(metric => metric.Name))}";

    public static Gate Parse(string text)
    {
        var match = Grammar().Match(text);
        if (!match.Success)
            throw new GateException($"The gate '{text}' cannot be read: {Allowed}.");
        var left = Quantity(text, match, "left");
        var right = match.Groups["right"].Success ? Quantity(text, match, "right") : null;
        if (right is not null && right.Metric.Unit != left.Metric.Unit)
            throw new GateException($"The gate '{text}' divides {left.Metric.Name} by {right.Metric.Name}, which says nothing: {Allowed}.");
        var severity = match.Groups["severity"].Value == "warn" ? GateSeverity.Warn : GateSeverity.Fail;
        if (match.Groups["baseline"].Success)
            return OnBaseline(text, match, severity, left, right);
        var limit = Limit(text, match, right is null ? left.Metric.Unit : GateUnit.None);
        return new Gate(severity, left, right, match.Groups["operator"].Value, limit, text.Trim());
    }

    private static Gate OnBaseline(string text, Match match, GateSeverity severity, GateQuantity left, GateQuantity? right)
    {
        if (right is not null || !left.Metric.CanBeCompared || match.Groups["operator"].Value != "<=")
            throw new GateException(
                $"The gate '{text}' cannot be held against a baseline: write '<= baseline' behind one of "
                    + $"{string.Join(", ", GateMetric.All.Where(metric => metric.CanBeCompared).Select(metric => $"X.{metric.Name}"))}.");
        var added = match.Groups["number"].Success ? Limit(text, match, left.Metric.Unit) : 0;
        var factor = 1m;
        if (match.Groups["factor"].Success
            && (!decimal.TryParse(match.Groups["factor"].Value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out factor)
                || factor is <= 0 or > 100))
            throw new GateException($"The gate '{text}' multiplies the baseline by what is not above 0 and at most 100: {Allowed}.");
        if (left.Metric.Reading is not null && factor == 1 && added == 0)
            throw new GateException(
                $"The gate '{text}' leaves no margin, and no number of repetitions shows that there is no difference at all: {Allowed}.");
        return new Gate(severity, left, null, "<=", added, text.Trim()) { BaselineFactor = factor };
    }

    private static GateQuantity Quantity(string text, Match match, string side)
    {
        var arm = match.Groups[side + "Arm"].Value;
        if (arm is not (Arms.Direct or Arms.Buffered or Arms.PubSub))
            throw new GateException($"The gate '{text}' names '{arm}', which is no arm: {Allowed}.");
        var name = Spaces().Replace(match.Groups[side].Value, "");
        return new GateQuantity(arm, GateMetric.All.FirstOrDefault(metric => metric.Name == name)
            ?? throw new GateException($"The gate '{text}' asks for '{name}', which is not measured: {Allowed}."));
    }

    private static decimal Limit(string text, Match match, GateUnit unit)
    {
        var written = match.Groups["unit"].Value;
        if (!decimal.TryParse(match.Groups["number"].Value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number))
            throw new GateException($"The gate '{text}' has a number that is too large: {Allowed}.");
        return unit switch
        {
            GateUnit.Percent when written == "%" && number <= 100 => number / 100,
            GateUnit.Percent or GateUnit.Time when number == 0 && written.Length == 0 => 0,
            GateUnit.Time when LatencyUnit.Microseconds(written) is { } microseconds && number <= 86_400_000 => number * microseconds,
            GateUnit.None when written.Length == 0 => number,
            GateUnit.Percent when written == "%" => throw new GateException($"The gate '{text}' allows more than can be lost: {Allowed}."),
            _ => throw new GateException($"The gate '{text}' needs {Needs(unit)}: {Allowed}."),
        };
    }

    private static string Needs(GateUnit unit) => unit switch
    {
        GateUnit.Percent => "a percentage behind its operator",
        GateUnit.Time => "a time behind its operator, in us, ms or s",
        _ => "a number without a unit behind its operator",
    };

    [GeneratedRegex(
        @"^\s*(?:(?<severity>fail|warn)\s*:)?\s*(?<leftArm>[A-Za-z]+(?:\+[a-z]+)?)\s*\.\s*(?<left>[a-z0-9-]+(?:\s*\.\s*[a-z0-9]+)?)\s*"
            + @"(?:/\s*(?<rightArm>[A-Za-z]+(?:\+[a-z]+)?)\s*\.\s*(?<right>[a-z0-9-]+(?:\s*\.\s*[a-z0-9]+)?)\s*)?"
            + @"(?<operator>==|<=|>=|<|>)\s*(?:(?<baseline>baseline)(?:\s*\*\s*(?<factor>\d+(?:\.\d+)?))?(?:\s*\+\s*(?<number>\d+"
            + @"(?:\.\d+)?)\s*(?<unit>%|us|ms|s)?)?|(?<number>\d+(?:\.\d+)?)\s*(?<unit>%|us|ms|s)?)\s*$",
        RegexOptions.CultureInvariant)]
    private static partial Regex Grammar();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();
}
