using PubSubOverWs.Report.Metrics;

namespace PubSubOverWs.Report.Gates;

/// <summary>
/// A condition on a record: <c>pubsub.loss == 0</c>, <c>direct.latency.p99 &lt; 250ms</c>, <c>warn: pubsub.latency.mean /
/// direct.latency.mean &lt; 8</c>; or on a record and another one, its baseline: <c>pubsub.latency.p99 &lt;= baseline * 1.10 + 2ms</c>.
/// </summary>
/// <param name="Right">The metric that it is divided by; null: none.</param>
/// <param name="Operator">One of <c>==</c>, <c>&lt;</c>, <c>&lt;=</c>, <c>&gt;</c>, <c>&gt;=</c>.</param>
/// <param name="Limit">Exact as written: a rate as a fraction of 1, a time in microseconds, anything else as a number. With a baseline:
/// what is added to it.</param>
/// <param name="Text">As it was written, without spaces at the ends.</param>
public sealed record Gate(GateSeverity Severity, GateQuantity Left, GateQuantity? Right, string Operator, decimal Limit, string Text)
{
    /// <summary>The factor of the baseline's own value, above 0; null: the limit stands by itself.</summary>
    public decimal? BaselineFactor { get; init; }

    /// <summary>True: it cannot be judged without a second record.</summary>
    public bool NeedsBaseline => BaselineFactor is not null;

    /// <param name="scenario">Whose arms and flows it may name.</param>
    /// <exception cref="GateException">It cannot be read; the message shows what is allowed.</exception>
    public static Gate Parse(string text, Scenario scenario) => new GateParser(scenario).Parse(text);

    /// <exception cref="GateException">One cannot be read.</exception>
    public static IReadOnlyList<Gate> From(Scenario scenario) => [.. scenario.Gates.Select(text => Parse(text, scenario))];

    public bool Allows(Quotient value) => Operator switch
    {
        "==" => value.CompareTo(Limit) == 0,
        "<" => value.CompareTo(Limit) < 0,
        "<=" => value.CompareTo(Limit) <= 0,
        ">" => value.CompareTo(Limit) > 0,
        ">=" => value.CompareTo(Limit) >= 0,
        _ => throw new InvalidOperationException($"There is no operator {Operator}."),
    };
}

/// <param name="Metric">One of <see cref="MessageMetrics.Gates"/>, or one of them of one flow.</param>
public sealed record GateQuantity(string Arm, Metric Metric);

/// <summary>The consequence of a gate that does not hold.</summary>
public enum GateSeverity
{
    /// <summary>The run fails: exit code 2.</summary>
    Fail,

    /// <summary>It is said, and the exit code stays.</summary>
    Warn,
}

/// <summary>A gate that cannot be read. The message is one sentence that shows what is allowed.</summary>
public sealed class GateException(string message) : Exception(message);

/// <param name="Passed">False also where it could not be judged: what was not measured never passes.</param>
public sealed record GateResult(Gate Gate, bool Passed, string Sentence)
{
    /// <summary>
    /// True: it did not fail either. There was no baseline, it cannot be compared or lacks what is asked, or there are too few repetitions
    /// to tell.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool Undecided { get; init; }
}

/// <summary>The result of a gate at one level.</summary>
internal enum GateOutcome
{
    Passed,
    Failed,

    /// <summary>Neither was shown.</summary>
    Undecided,
}
