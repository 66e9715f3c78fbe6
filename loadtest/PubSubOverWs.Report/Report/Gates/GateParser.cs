using System.Text.RegularExpressions;
using PubSubOverWs.Report.Metrics;

namespace PubSubOverWs.Report.Gates;

/// <summary>Reads a gate as it is written in a scenario or on the command line.</summary>
internal sealed partial class GateParser(Scenario scenario)
{
    private readonly string _allowed =
        "write 'X.loss == 0', 'X.loss <= 0.5%', 'X.latency.p99 < 250ms' or "
            + $"'{scenario.Kind.Contrasts[0].Second}.M / {scenario.Kind.Contrasts[0].First}.M < 8', or "
            + "against a baseline 'X.latency.p99 <= baseline * 1.10 + 2ms', with 'warn:' before it when it is not to fail; X is "
            + $"{Choice(scenario.Kind)}, M one of {string.Join(", ", MessageMetrics.Gates.Select(metric => metric.Gate))}"
            + (scenario.Flows.Count == 1 ? "" : $", with one of {string.Join(", ", scenario.Flows.Select(flow => flow.Name + '.'))} before "
                + "it where it is of one flow");

    public Gate Parse(string text)
    {
        var match = Grammar().Match(text);
        if (!match.Success)
            throw new GateException($"The gate '{text}' cannot be read: {_allowed}.");
        var left = Quantity(text, match, "left");
        var right = match.Groups["right"].Success ? Quantity(text, match, "right") : null;
        if (right is not null && right.Metric.Unit != left.Metric.Unit)
            throw new GateException(
                $"The gate '{text}' divides {left.Metric.Gate} by {right.Metric.Gate}, which says nothing: {_allowed}.");
        var severity = match.Groups["severity"].Value == "warn" ? GateSeverity.Warn : GateSeverity.Fail;
        if (match.Groups["baseline"].Success)
            return OnBaseline(text, match, severity, left, right);
        var limit = Limit(text, match, right is null ? left.Metric.Unit : null);
        return new Gate(severity, left, right, match.Groups["operator"].Value, limit, text.Trim());
    }

    private Gate OnBaseline(string text, Match match, GateSeverity severity, GateQuantity left, GateQuantity? right)
    {
        if (right is not null || !left.Metric.CanBeCompared || match.Groups["operator"].Value != "<=")
        {
            var known = MessageMetrics.Gates.Where(metric => metric.CanBeCompared).Select(metric => $"X.{metric.Gate}");
            throw new GateException(
                $"The gate '{text}' cannot be compared with a baseline: write '<= baseline' after one of {string.Join(", ", known)}.");
        }

        var added = match.Groups["number"].Success ? Limit(text, match, left.Metric.Unit) : 0;
        var factor = 1m;
        if (match.Groups["factor"].Success
            && (!decimal.TryParse(match.Groups["factor"].Value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out factor)
                || factor is <= 0 or > 100))
            throw new GateException($"The gate '{text}' multiplies the baseline by what is not above 0 and at most 100: {_allowed}.");
        if (!left.Metric.IsCounted && factor == 1 && added == 0)
            throw new GateException(
                $"The gate '{text}' leaves no margin, and no number of repetitions shows that there is no difference at all: {_allowed}.");
        return new Gate(severity, left, null, "<=", added, text.Trim()) { BaselineFactor = factor };
    }

    private GateQuantity Quantity(string text, Match match, string side)
    {
        var arm = match.Groups[side + "Arm"].Value;
        if (scenario.Kind.Arms.All(one => one.Name != arm))
            throw new GateException(
                $"The gate '{text}' names '{arm}', which is no arm{Spelling.Meant(arm, scenario.Kind.Arms.Select(one => one.Name))}: "
                + $"{_allowed}.");
        var name = Spaces().Replace(match.Groups[side].Value, "");
        if (scenario.Flows.FirstOrDefault(flow => name.StartsWith(flow.Name + '.', StringComparison.Ordinal)) is { } flow)
            return new GateQuantity(arm, OfFlow(text, flow, Metric(text, name[(flow.Name.Length + 1)..])));
        return new GateQuantity(arm, Metric(text, name));
    }

    private Metric Metric(string text, string name) => MessageMetrics.Gates.FirstOrDefault(metric => metric.Gate == name)
        ?? throw new GateException($"The gate '{text}' asks for '{name}', which is not measured"
            + $"{Spelling.Meant(name, MessageMetrics.Gates.Select(metric => metric.Gate))}: {_allowed}.");

    private Metric OfFlow(string text, Flow flow, Metric metric) =>
        scenario.Flows.Count == 1
            ? throw new GateException($"The gate '{text}' names the flow '{flow.Name}', and there is no other: write X.{metric.Gate}.")
        : metric.IsOfTrial
            ? throw new GateException(
                $"The gate '{text}' asks for {metric.Gate} of one flow, and a trial has it once: write X.{metric.Gate}.")
        : metric.Of(flow);

    // A quotient of two has no unit.
    private decimal Limit(string text, Match match, MetricUnit? unit)
    {
        var written = match.Groups["unit"].Value;
        var isShare = unit == MetricUnit.Percent;
        var isTime = unit == MetricUnit.Milliseconds;
        if (!decimal.TryParse(match.Groups["number"].Value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number))
            throw new GateException($"The gate '{text}' has a number that is too large: {_allowed}.");
        return written switch
        {
            "%" when isShare && number <= 100 => number / 100,
            "" when (isShare || isTime) && number == 0 => 0,
            _ when isTime && LatencyUnit.Microseconds(written) is { } microseconds && number <= 86_400_000 => number * microseconds,
            "" when !isShare && !isTime => number,
            "%" when isShare => throw new GateException($"The gate '{text}' allows more than can be lost: {_allowed}."),
            _ => throw new GateException(
                $"The gate '{text}' needs "
                    + (isShare ? "a percentage" : isTime ? "a time" : "a number without a unit") + " after its operator"
                    + $"{(isTime ? ", in us, ms or s" : "")}: {_allowed}."),
        };
    }

    // Those compared first, such as "direct, pubsub or direct+buffer".
    private static string Choice(ScenarioKind kind)
    {
        string[] compared = [.. kind.Contrasts.SelectMany(one => new[] { one.First, one.Second }).Distinct()];
        string[] names = [.. compared, .. kind.Arms.Select(arm => arm.Name).Except(compared)];
        return $"{string.Join(", ", names.SkipLast(1))} or {names[^1]}";
    }

    [GeneratedRegex(
        @"^\s*(?:(?<severity>fail|warn)\s*:)?\s*"
            + @"(?<leftArm>[A-Za-z]+(?:[+-][a-z]+)*)\s*\.\s*(?<left>[a-z0-9-]+(?:\s*\.\s*[a-z0-9-]+){0,2})\s*"
            + @"(?:/\s*(?<rightArm>[A-Za-z]+(?:[+-][a-z]+)*)\s*\.\s*(?<right>[a-z0-9-]+(?:\s*\.\s*[a-z0-9-]+){0,2})\s*)?"
            + @"(?<operator>==|<=|>=|<|>)\s*(?:(?<baseline>baseline)"
            + @"(?:\s*\*\s*(?<factor>\d+(?:\.\d+)?))?(?:\s*\+\s*(?<number>\d+(?:\.\d+)?)\s*(?<unit>%|us|ms|s)?)?"
            + @"|(?<number>\d+(?:\.\d+)?)\s*(?<unit>%|us|ms|s)?)\s*$",
        RegexOptions.CultureInvariant)]
    private static partial Regex Grammar();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();
}
