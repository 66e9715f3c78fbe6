using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.Experiment.Design;

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
