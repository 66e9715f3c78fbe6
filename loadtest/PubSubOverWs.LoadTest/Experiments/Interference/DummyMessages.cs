namespace PubSubOverWs.LoadTest.Experiments.Interference;

/// <summary>The messages that a server streams to a client beside its replies.</summary>
/// <param name="Bytes">Payload of each; 0: idle.</param>
/// <param name="PeriodUs">From the start of one to that of the next, in microseconds; 0: idle.</param>
public readonly record struct DummyMessages(int Bytes, int PeriodUs)
{
    public const int LargestBytes = 64 << 20;

    /// <summary>2,000 s: the microseconds of more are no whole number of a factor.</summary>
    public const int LongestPeriodUs = 2_000_000_000;

    private const string IdleText = "idle";

    /// <summary>No message is streamed: what is published with one message an hour.</summary>
    public static DummyMessages Idle => default;

    public bool IsIdle => PeriodUs == 0;

    /// <summary>Asked for; 0 if it is idle.</summary>
    public double BytesPerSecond => IsIdle ? 0 : Bytes * 1e6 / PeriodUs;

    /// <summary>Reads <c>idle</c>, or size and period such as <c>10240/500us</c>.</summary>
    /// <exception cref="ScenarioException">It is neither, or out of its range.</exception>
    public static DummyMessages Parse(string text)
    {
        if (text == IdleText)
            return Idle;
        if (text.Split('/') is [var size, var period]
            && int.TryParse(size, NumberStyles.None, CultureInfo.InvariantCulture, out var bytes) && bytes is >= 1 and <= LargestBytes
            && PeriodOf(period) is >= 1 and <= LongestPeriodUs and var microseconds)
            return new DummyMessages(bytes, (int)microseconds);
        throw new ScenarioException(
            $"The stream '{text}' is not known: write idle, or the bytes of a message (1 to {LargestBytes}) and the time to the next (1us "
                + "to 2000s), such as 10240/500us.");
    }

    /// <summary>As <see cref="Parse"/> reads it.</summary>
    public override string ToString() =>
        IsIdle ? IdleText : Invariant($"{Bytes}/{(PeriodUs % 1000 == 0 ? Duration.Text(Period) : Invariant($"{PeriodUs}us"))}");

    /// <summary>In microseconds; null: it is no time.</summary>
    public static double? PeriodOf(string text)
    {
        if (text.EndsWith("us", StringComparison.Ordinal))
            return int.TryParse(text.AsSpan(0, text.Length - 2), NumberStyles.None, CultureInfo.InvariantCulture, out var us) ? us : null;
        try
        {
            return Duration.Parse(text).TotalMicroseconds;
        }
        catch (ScenarioException)
        {
            return null;
        }
    }

    private TimeSpan Period => TimeSpan.FromMicroseconds(PeriodUs);
}
