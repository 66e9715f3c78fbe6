namespace PubSubOverWs.LoadTest.Harness.Live;

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

    /// <summary>The estimated time to the end, such as <c>about 12 s</c>, or <c>up to 12 s</c> where less may be needed.</summary>
    public static string Left(RunProgress progress) => $"{(progress.IsAtMost ? "up to" : "about")} {Duration(progress.Left)}";

    /// <summary>Behind the name of a trial: nothing for one that is measured.</summary>
    public static string WarmUp(Trial trial) => trial switch
    {
        { WarmUp: false } => "",
        { MoreWarmUps: 0 } => " (warm-up)",
        _ => Invariant($" (warm-up, {trial.MoreWarmUps} more at most)"),
    };

    public static string Latency(TimeSpan? latency) =>
        latency is { } known ? Invariant($"{known.TotalMilliseconds:0.00} ms") : "-";

    public static string Loss(double? loss) =>
        loss is { } known ? Invariant($"{known * 100:0.00} %") : "-";
}
