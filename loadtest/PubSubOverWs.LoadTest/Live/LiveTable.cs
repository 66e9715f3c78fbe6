using System.Globalization;
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
            table.AddRow([.. level.Key.Settings.Select(setting => setting.Text), .. cells]);
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
