namespace PubSubOverWs.Record.Formats;

/// <summary>Durations as they stand in scenarios and options: <c>500ms</c>, <c>2s</c>, <c>1.5m</c>.</summary>
public static class Duration
{
    /// <exception cref="ScenarioException">It is no number with ms, s or m after it, or it is negative.</exception>
    public static TimeSpan Parse(string text)
    {
        foreach (var (unit, milliseconds) in new[] { ("ms", 1m), ("s", 1000m), ("m", 60_000m) })
        {
            if (!text.EndsWith(unit, StringComparison.Ordinal))
                continue;
            if (decimal.TryParse(text[..^unit.Length], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var value)
                && value <= 86_400_000m)
                return TimeSpan.FromTicks((long)(value * milliseconds * TimeSpan.TicksPerMillisecond));
            break;
        }

        throw new ScenarioException($"'{text}' is not a duration: write a number with ms, s or m after it, such as 500ms or 2s.");
    }

    /// <summary>The shortest text that <see cref="Parse"/> reads back to the same value.</summary>
    public static string Text(TimeSpan value)
    {
        var milliseconds = (decimal)value.Ticks / TimeSpan.TicksPerMillisecond;
        return milliseconds % 1000 == 0
            ? Invariant($"{milliseconds / 1000:0}s")
            : Invariant($"{milliseconds:0.####}ms");
    }
}

/// <summary>The unit of a latency in gates and margins: <c>us</c>, <c>ms</c> or <c>s</c>.</summary>
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
