using System.Globalization;

namespace PubSubOverWs.LoadTest.Live;

/// <summary>Numbers as both views write them.</summary>
public static class ProgressText
{
    /// <summary>Seconds below two minutes, else minutes and seconds, else hours and minutes.</summary>
    public static string Duration(TimeSpan time) => time switch
    {
        { TotalSeconds: < 120 } => string.Create(CultureInfo.InvariantCulture, $"{Math.Max(0, Math.Ceiling(time.TotalSeconds)):0} s"),
        { TotalHours: < 2 } => string.Create(CultureInfo.InvariantCulture, $"{Math.Floor(time.TotalMinutes):0} min {time.Seconds:00} s"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{Math.Floor(time.TotalHours):0} h {time.Minutes:00} min"),
    };

    public static string Latency(TimeSpan? latency) =>
        latency is { } known ? string.Create(CultureInfo.InvariantCulture, $"{known.TotalMilliseconds:0.00} ms") : "-";

    public static string Loss(double? loss) =>
        loss is { } known ? string.Create(CultureInfo.InvariantCulture, $"{known * 100:0.00} %") : "-";
}
