namespace PubSubOverWs.Record.Scenarios;

/// <summary>A stream of messages from one role to another, with buckets and a latency of its own.</summary>
/// <param name="Name">Its column in files; where a scenario has several, gates and the tags of latency.hlog name it.</param>
/// <param name="From">The role that sends.</param>
/// <param name="To">The role that it is meant for.</param>
/// <param name="Judged">False: shown, and in no sum that tables, gates and claims use.</param>
public sealed record Flow(string Name, string From, string To, LatencyFrom Latency, bool Judged = true)
{
    /// <summary>False: its attempts are not messages with a body, such as connections that are opened.</summary>
    [JsonIgnore]
    public bool IsOfMessages { get; init; } = true;

    /// <summary>The only flow of a scenario whose messages all go one way.</summary>
    public static Flow Message(Arrival arrival) =>
        new("message", "publisher", "subscriber", arrival.IsBurst ? LatencyFrom.Sent : LatencyFrom.Due);
}

/// <summary>From when on the latency of a flow counts.</summary>
public enum LatencyFrom
{
    /// <summary>From the intended send: in open-loop work, where a stall of the sender is part of the latency.</summary>
    Due,

    /// <summary>From the real send: in a burst, where everything is due at once and the sender needs a while to get it out.</summary>
    Sent,
}

/// <summary>When the messages of an iteration are due. The paper does not say how its load arrived, so both kinds are offered.</summary>
/// <param name="Spread">Zero: all at once, a burst. Else: evenly over this time.</param>
public readonly record struct Arrival(TimeSpan Spread)
{
    public static Arrival Burst => default;

    public bool IsBurst => Spread == TimeSpan.Zero;

    /// <summary>Spread over no less than this; a burst stays one.</summary>
    public Arrival AtLeast(TimeSpan spread) => !IsBurst && Spread < spread ? new Arrival(spread) : this;

    /// <summary>
    /// When message <paramref name="index"/> of <paramref name="count"/> is due, from the start of the burst, however slow the server is.
    /// </summary>
    public TimeSpan DueAt(long index, long count) => IsBurst ? TimeSpan.Zero : TimeSpan.FromTicks(Spread.Ticks * index / count);

    /// <summary>Reads <c>burst</c> or <c>spread:T</c>.</summary>
    /// <exception cref="ScenarioException">It is neither.</exception>
    public static Arrival Parse(string text)
    {
        if (text == "burst")
            return Burst;
        if (text.StartsWith("spread:", StringComparison.Ordinal) && Duration.Parse(text["spread:".Length..]) is { Ticks: > 0 } spread)
            return new Arrival(spread);
        throw new ScenarioException($"The arrival '{text}' is not known: write burst, or spread with a time above 0, such as spread:2s.");
    }

    public override string ToString() => IsBurst ? "burst" : $"spread:{Duration.Text(Spread)}";
}
