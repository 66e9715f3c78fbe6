namespace PubSubOverWs.Record.Scenarios;

/// <summary>
/// The simulated distance of the embedded queue: its answers are delayed by a lognormal time. The figures of such a run are labelled
/// "simulated distance" everywhere.
/// </summary>
/// <param name="P50">The median; zero: no delay.</param>
/// <param name="P99">The 99th percentile, at least <paramref name="P50"/>.</param>
public readonly record struct QueueLatency(TimeSpan P50, TimeSpan P99)
{
    public static QueueLatency None => default;

    /// <summary>From producer to consumer within a region of AWS, as published in 2022: docs/reference/sqs.md.</summary>
    public static QueueLatency Aws { get; } = new(TimeSpan.FromMilliseconds(16), TimeSpan.FromMilliseconds(105));

    public bool IsSimulated => P50 > TimeSpan.Zero;

    /// <summary>Reads <c>none</c>, <c>aws</c> or two times such as <c>20ms,80ms</c>.</summary>
    /// <exception cref="ScenarioException">It is none of these.</exception>
    public static QueueLatency Parse(string text)
    {
        if (text == "none")
            return None;
        if (text == "aws")
            return Aws;
        if (text.Split(',') is [var first, var second])
        {
            var latency = new QueueLatency(Duration.Parse(first.Trim()), Duration.Parse(second.Trim()));
            if (latency.P50 > TimeSpan.Zero && latency.P50 <= latency.P99 && latency.P50 <= TimeSpan.FromSeconds(10)
                && latency.P99 <= TimeSpan.FromMinutes(1))
                return latency;
        }
        throw new ScenarioException(
            $"The queue latency '{text}' is not known: write none, aws, or the median (above 0, at most 10s) and the 99th percentile (at "
                + "least that, at most 60s), such as 20ms,80ms.");
    }

    public override string ToString() => !IsSimulated ? "none" : this == Aws ? "aws" : $"{Duration.Text(P50)},{Duration.Text(P99)}";
}
