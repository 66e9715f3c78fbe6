namespace PubSubOverWs.Experiment.Formats;

/// <summary>What a latency is written in, in gates and in margins: <c>us</c>, <c>ms</c> or <c>s</c>.</summary>
internal static class LatencyUnit
{
    /// <summary>How many microseconds it is; null: it is none of these.</summary>
    public static decimal? Microseconds(string unit) => unit switch
    {
        "us" => 1,
        "ms" => 1_000,
        "s" => 1_000_000,
        _ => null,
    };
}
