using System.Globalization;
using System.Text;
using static System.FormattableString;

namespace PubSubOverWs.LoadTest.Live;

/// <summary>Numbers as both views write them.</summary>
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

/// <summary>The few lines that a run ends with: per level and arm, how many iterations, what was lost, how long it took.</summary>
public static class SummaryTable
{
    public static string Of(IReadOnlyList<ArmProgress> arms)
    {
        var text = new StringBuilder();
        // direct+buffer is longer than the others.
        var width = Math.Max(7, arms.Select(arm => arm.Arm.Length).DefaultIfEmpty(0).Max());
        var factors = arms.Count == 0 ? [] : arms[0].Level.Settings.Select(setting => setting.Factor.Name).ToArray();
        text.Append(string.Create(
            CultureInfo.InvariantCulture,
            $"{string.Concat(factors.Select(name => $"{name,7}  "))}{"arm".PadRight(width)}  {"n",4}  {"loss",9}  {"latency, mean",14}"));
        foreach (var arm in arms)
        {
            var level = arm.Level.Settings.Select(setting => $"{setting.Number.ToString(CultureInfo.InvariantCulture)
                .PadLeft(Math.Max(7, setting.Factor.Name.Length))}  ");
            text.Append(Environment.NewLine).Append(string.Create(
                CultureInfo.InvariantCulture,
                $"{string.Concat(level)}{arm.Arm.PadRight(width)}  {arm.Iterations,4}  {ProgressText.Loss(arm.Loss),9}  "
                    + $"{ProgressText.Latency(arm.MeanLatency),14}"));
        }

        return text.ToString();
    }
}
