using System.Globalization;
using System.Text;
using PubSubOverWs.Experiment.Design;
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

/// <summary>The table at the end of a run: iterations, loss and latency by level and arm.</summary>
public static class SummaryTable
{
    public static string Of(IReadOnlyList<ArmProgress> arms)
    {
        var text = new StringBuilder();
        // An arm such as direct+buffer is longer than 7 letters.
        var width = Math.Max(7, arms.Select(arm => arm.Arm.Length).DefaultIfEmpty(0).Max());
        var factors = arms.Count == 0 ? [] : arms[0].Level.Settings.Select(setting => setting.Factor).ToArray();
        text.Append(string.Create(
            CultureInfo.InvariantCulture,
            $"{string.Concat(factors.Select(factor => $"{factor.Name.PadLeft(Width(factor))}  "))}{"arm".PadRight(width)}  "
                + $"{"n",4}  {"loss",9}  {"latency, mean",14}"));
        foreach (var arm in arms)
        {
            var level = arm.Level.Settings.Select(setting => $"{setting.Text.PadLeft(Width(setting.Factor))}  ");
            text.Append(Environment.NewLine).Append(string.Create(
                CultureInfo.InvariantCulture,
                $"{string.Concat(level)}{arm.Arm.PadRight(width)}  {arm.Iterations,4}  {ProgressText.Loss(arm.Loss),9}  "
                    + $"{ProgressText.Latency(arm.MeanLatency),14}"));
        }

        return text.ToString();
    }

    private static int Width(Factor factor) => (factor.Names ?? []).Append(factor.Name).Max(text => Math.Max(7, text.Length));
}
