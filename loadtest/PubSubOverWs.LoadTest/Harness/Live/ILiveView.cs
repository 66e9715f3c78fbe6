using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Live;

/// <summary>
/// Shows a run while it runs: <see cref="LiveTable"/> on a terminal, <see cref="PlainLines"/> anywhere else, <see cref="LivePage"/> in
/// browsers.
/// </summary>
public interface ILiveView
{
    /// <summary>Runs <paramref name="work"/> and shows the progress that it reports; one call at a time.</summary>
    Task WhileAsync(Func<Action<RunProgress>, Task> work);

    /// <summary>
    /// Called before each trial. Completes when everything is shown: from then until the next progress the view does nothing.
    /// </summary>
    Task BeforeTrialAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}

/// <summary>A snapshot of a run, taken between iterations, so that drawing never competes with the load.</summary>
/// <param name="Total">All iterations, counted from the start or from where the run was resumed; at most, if so marked.</param>
/// <param name="Last">The trial that has just ended; null at the start.</param>
/// <param name="Next">The trial that starts now; null at the end.</param>
/// <param name="Elapsed">Since the first block began.</param>
/// <param name="Left">The estimated time to the end; at most, if so marked.</param>
/// <param name="Arms">Loss and latency so far, by level and arm.</param>
public sealed record RunProgress(
    int Done, int Total, Trial? Last, Trial? Next, TimeSpan Elapsed, TimeSpan Left, IReadOnlyList<ArmProgress> Arms)
{
    /// <summary>True: arms may need fewer warm-ups than are counted.</summary>
    public bool IsAtMost { get; init; }

    /// <summary>What was recorded since the last snapshot; in the first, the rows of the run that is resumed.</summary>
    public IReadOnlyList<IterationRow> Rows { get; init; } = [];

    /// <summary>What was recorded in events.csv since the last snapshot.</summary>
    public IReadOnlyList<EventRow> Events { get; init; } = [];

    /// <summary>The processes of the block and this program, as they are now; empty unless a live page was asked for.</summary>
    public IReadOnlyList<NamedUse> Processes { get; init; } = [];

    /// <summary>
    /// What begins now and how long it is expected to take, during which nothing is drawn. Null: a trial has just ended, or the run.
    /// </summary>
    public Activity? Begins { get; init; }
}

/// <summary>A part of a run that is not interrupted to draw.</summary>
/// <param name="What">Such as <c>block 1, 50 users, direct</c>.</param>
/// <param name="Takes">Estimated.</param>
public sealed record Activity(string What, TimeSpan Takes)
{
    public static Activity From(Trial trial, TimeSpan takes) => new(
        FormattableString.Invariant($"block {trial.Block}, {trial.Level}, {trial.Arm}{ProgressText.WarmUp(trial)}"), takes);

    public override string ToString() => $"{What}: takes about {ProgressText.Duration(Takes)}";
}

/// <summary>Results of an arm at one level so far, without warm-up.</summary>
/// <param name="Iterations">Measured iterations so far.</param>
/// <param name="Attempts">Messages that should have arrived.</param>
/// <param name="Delivered">Messages that arrived in time.</param>
/// <param name="MeanLatency">Mean over the iterations' means; null when nothing was delivered.</param>
public sealed record ArmProgress(string Arm, Level Level, int Iterations, long Attempts, long Delivered, TimeSpan? MeanLatency)
{
    /// <summary>From 0 to 1; null before anything was attempted.</summary>
    public double? Loss => Attempts == 0 ? null : 1 - (double)Delivered / Attempts;
}

/// <summary>Several views of one run: each is shown everything.</summary>
public sealed class LiveViews(params IReadOnlyList<ILiveView> views) : ILiveView
{
    public Task WhileAsync(Func<Action<RunProgress>, Task> work)
    {
        return ShownBy(0, _ => { });

        Task ShownBy(int next, Action<RunProgress> show) =>
            next == views.Count ? work(show) : views[next].WhileAsync(one => ShownBy(next + 1, show + one));
    }

    public async Task BeforeTrialAsync(CancellationToken cancellationToken)
    {
        foreach (var view in views)
            await view.BeforeTrialAsync(cancellationToken);
    }
}

/// <summary>
/// For logs and pipes: one line when a level is done in a block, one at least every ten seconds, and one before anything that takes longer.
/// </summary>
public sealed class PlainLines(TextWriter output, TimeProvider time) : ILiveView
{
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(10);
    private long _last = time.GetTimestamp();

    public Task WhileAsync(Func<Action<RunProgress>, Task> work) => work(Show);

    public void Show(RunProgress progress)
    {
        if (progress.Begins is { } begins)
        {
            if (begins.Takes >= Silence)
                output.WriteLine(Invariant($"{progress.Done}/{progress.Total} {begins}"));
            return;
        }

        var levelDone = progress.Last is { } last
            && (progress.Next is not { } next || next.Level != last.Level || next.Block != last.Block);
        if (!levelDone && time.GetElapsedTime(_last) < Silence)
            return;
        _last = time.GetTimestamp();
        output.WriteLine(Line(progress));
    }

    public static string Line(RunProgress progress)
    {
        var where = progress.Last is { } last
            ? Invariant($"block {last.Block}, {last.Level}: ")
            : "";
        var arms = progress.Arms.Where(arm => arm.Level == progress.Last?.Level && arm.Attempts > 0)
            .Select(arm => $"{arm.Arm} loss {ProgressText.Loss(arm.Loss)}, latency {ProgressText.Latency(arm.MeanLatency)}")
            .DefaultIfEmpty(progress.Last is null ? "starting" : $"warming up{More(progress.Next)}");
        var left = progress.Next is null ? "done" : $"{ProgressText.Left(progress)} left";
        return string.Create(CultureInfo.InvariantCulture, $"{progress.Done}/{progress.Total} {where}{string.Join("; ", arms)} ({left})");
    }

    private static string More(Trial? next) =>
        next is { WarmUp: true, MoreWarmUps: var after } && after > 0 ? Invariant($", {after + 1} more at most") : "";
}

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

/// <summary>Sums the results so far by level and arm, without warm-up and floor. For display only: the report reads the files.</summary>
public sealed class Scoreboard
{
    private readonly Dictionary<(Level Level, string Arm), Score> _scores = [];

    public IReadOnlyList<ArmProgress> Arms =>
        [.. _scores.OrderBy(score => score.Key.Level, Level.Order).ThenBy(score => score.Key.Arm, StringComparer.Ordinal)
            .Select(score => score.Value.Progress(score.Key))];

    public void Add(IterationRow row)
    {
        if (!row.Counts || row.Arm == Arm.Floor.Name)
            return;
        if (!_scores.TryGetValue((row.Level, row.Arm), out var score))
            _scores[(row.Level, row.Arm)] = score = new Score();
        score.Add(row);
    }

    private sealed class Score
    {
        private long _attempts;
        private long _delivered;
        private int _iterations;
        private int _measured;
        private double _meanMicroseconds;

        public void Add(IterationRow row)
        {
            _iterations++;
            _attempts += row.Buckets.Attempts;
            _delivered += row.Buckets.Delivered;
            if (row.Latency.Mean is not { } mean)
                return;
            _measured++;
            _meanMicroseconds += (mean - _meanMicroseconds) / _measured;
        }

        public ArmProgress Progress((Level Level, string Arm) key) => new(
            key.Arm, key.Level, _iterations, _attempts, _delivered, _measured == 0 ? null : TimeSpan.FromMicroseconds(_meanMicroseconds));
    }
}
