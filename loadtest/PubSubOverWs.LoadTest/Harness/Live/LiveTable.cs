using Spectre.Console;
using Spectre.Console.Rendering;
using Table = Spectre.Console.Table;

namespace PubSubOverWs.LoadTest.Harness.Live;

/// <summary>
/// A table that is redrawn in place: loss and latency of every arm at every level, what runs now and the time left. It is gone when the run
/// has ended, because the results follow.
/// </summary>
/// <param name="width">Columns of the terminal; null: those that <paramref name="console"/> has.</param>
/// <param name="notices">Shown below the table: written beside it, they would move what is redrawn.</param>
public sealed class LiveTable(IAnsiConsole console, int? width, Notices notices) : ILiveView
{
    // Between two columns, with what the border takes.
    private const int Gap = 2;

    public Task WhileAsync(Func<Action<RunProgress>, Task> work) =>
        console.Live(new Text("")).AutoClear(true).StartAsync(async context =>
        {
            var drawing = new Lock();
            RunProgress? latest = null;
            string? notice = null;
            using (notices.ShownBy(sentence => Redraw(() => notice = sentence)))
                await work(progress => Redraw(() => latest = progress));

            void Redraw(Action change)
            {
                lock (drawing)
                {
                    change();
                    IRenderable[] parts =
                    [
                        .. latest is null ? Array.Empty<IRenderable>() : [Draw(latest, width ?? console.Profile.Width)],
                        .. notice is null ? Array.Empty<IRenderable>() : [new Text(notice)],
                    ];
                    context.UpdateTarget(new Rows(parts));
                    context.Refresh();
                }
            }
        });

    /// <param name="width">Columns of the terminal: where a row for each level does not fit, each arm has one.</param>
    public static IRenderable Draw(RunProgress progress, int width)
    {
        var arms = progress.Arms.Select(arm => arm.Arm).Distinct().ToList();
        // A table begins with an empty line, too: the terminal's own ^C moves what is redrawn by a line, and leaves the first.
        if (arms.Count == 0)
            return new Text($"\n{Caption(progress)}");
        var names = progress.Arms[0].Level.Settings.Sum(setting => setting.Factor.Name.Length + Gap)
            + arms.Sum(arm => (3 * (arm.Length + Gap)) + " n loss latency".Length);
        return new Rows(names + Gap <= width ? ByLevel(progress, arms) : ByArm(progress), new Text(Caption(progress)));
    }

    private static Table ByArm(RunProgress progress)
    {
        var table = new Table().Border(TableBorder.Simple);
        foreach (var setting in progress.Arms[0].Level.Settings)
            table.AddColumn(new TableColumn(setting.Factor.Name).RightAligned());
        table.AddColumn("arm");
        foreach (var name in new[] { "n", "loss", "latency" })
            table.AddColumn(new TableColumn(name).RightAligned());
        foreach (var arm in progress.Arms.OrderBy(arm => arm.Level, Level.Order))
            table.AddRow([.. arm.Level.Settings.Select(setting => setting.Text), arm.Arm, .. Cells(arm)]);
        return table;
    }

    private static Table ByLevel(RunProgress progress, List<string> arms)
    {
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

        return table;
    }

    private static IEnumerable<string> Cells(ArmProgress? arm) => arm is null
        ? ["", "", ""]
        : [arm.Iterations.ToString(CultureInfo.InvariantCulture), ProgressText.Loss(arm.Loss), ProgressText.Latency(arm.MeanLatency)];

    private static string Caption(RunProgress progress)
    {
        var percent = progress.Total == 0 ? 100 : 100 * progress.Done / progress.Total;
        var now = progress.Begins?.ToString()
            ?? (progress.Next is { } next ? Activity.From(next, TimeSpan.Zero).What : "stopping the servers");
        return string.Create(CultureInfo.InvariantCulture,
            $"{progress.Done} of {progress.Total} iterations ({percent} %), {now}; {ProgressText.Duration(progress.Elapsed)} so far, "
                + $"{ProgressText.Left(progress)} left");
    }
}
