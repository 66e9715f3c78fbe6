using System.Globalization;
using System.Text;
using PubSubOverWs.Experiment.Design;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace PubSubOverWs.LoadTest.Live;

/// <summary>A table that is redrawn in place: one row per level, loss and latency of every arm, what runs now and the time left.</summary>
public sealed class LiveTable(IAnsiConsole console) : ILiveView
{
    public Task WhileAsync(Func<Action<RunProgress>, Task> work) =>
        console.Live(new Text("starting servers")).StartAsync(context => work(progress =>
        {
            context.UpdateTarget(Draw(progress));
            context.Refresh();
        }));

    public static IRenderable Draw(RunProgress progress)
    {
        var arms = progress.Arms.Select(arm => arm.Arm).Distinct().ToList();
        if (arms.Count == 0)
            return new Text(Caption(progress));
        var table = new Table().Border(TableBorder.Simple);
        foreach (var setting in progress.Arms[0].Level.Settings)
            table.AddColumn(new TableColumn(setting.Factor.Name).RightAligned());
        foreach (var arm in arms)
        {
            table.AddColumn(new TableColumn($"{arm} n").RightAligned());
            table.AddColumn(new TableColumn($"{arm} loss").RightAligned());
            table.AddColumn(new TableColumn($"{arm} latency").RightAligned());
        }

        foreach (var level in progress.Arms.GroupBy(arm => arm.Level).OrderBy(level => level.Key, Level.Order))
        {
            var cells = arms.SelectMany(name => Cells(level.FirstOrDefault(arm => arm.Arm == name)));
            table.AddRow([.. level.Key.Settings.Select(setting => setting.Number.ToString(CultureInfo.InvariantCulture)), .. cells]);
        }

        return new Rows(table, new Text(Caption(progress)));
    }

    private static IEnumerable<string> Cells(ArmProgress? arm) => arm is null
        ? ["", "", ""]
        : [arm.Iterations.ToString(CultureInfo.InvariantCulture), ProgressText.Loss(arm.Loss), ProgressText.Latency(arm.MeanLatency)];

    private static string Caption(RunProgress progress)
    {
        var percent = progress.Total == 0 ? 100 : 100 * progress.Done / progress.Total;
        var now = progress.Next is { } next
            ? string.Create(
                CultureInfo.InvariantCulture, $"block {next.Block}, {next.Level}, {next.Arm}{(next.WarmUp ? " (warm-up)" : "")}")
            : "done";
        return string.Create(CultureInfo.InvariantCulture,
            $"{progress.Done} of {progress.Total} iterations ({percent} %), {now}; {ProgressText.Duration(progress.Elapsed)} so far, "
                + $"about {ProgressText.Duration(progress.Left)} left");
    }
}

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
