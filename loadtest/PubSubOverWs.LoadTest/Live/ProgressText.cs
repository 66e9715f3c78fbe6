using static System.FormattableString;

namespace PubSubOverWs.LoadTest.Live;

/// <summary>Number formats of both views.</summary>
public static class ProgressText
{
    /// <summary>Seconds below two minutes, else minutes and seconds, else hours and minutes.</summary>
    public static string Duration(TimeSpan time) => time switch
    {
        { TotalSeconds: < 120 } => Invariant($"{Math.Max(0, Math.Ceiling(time.TotalSeconds)):0} s"),
        { TotalHours: < 2 } => Invariant($"{Math.Floor(time.TotalMinutes):0} min {time.Seconds:00} s"),
        _ => Invariant($"{Math.Floor(time.TotalHours):0} h {time.Minutes:00} min"),
    };

    public static string Latency(TimeSpan? latency) =>
        latency is { } known ? Invariant($"{known.TotalMilliseconds:0.00} ms") : "-";

    public static string Loss(double? loss) =>
        loss is { } known ? Invariant($"{known * 100:0.00} %") : "-";
}
