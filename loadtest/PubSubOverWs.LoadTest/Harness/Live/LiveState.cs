using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Live;

/// <summary>
/// What live pages show: the sums of the whole run, and of its trials and faults the latest. A page that is opened late gets all of it,
/// however long the run is. Thread-safe.
/// </summary>
public sealed class LiveState
{
    /// <summary>Trials and marks that are kept, of each.</summary>
    public const int MaxKept = 200;

    private readonly Lock _lock = new();
    private readonly Queue<(long Version, LiveTrial Trial)> _trials = [];
    private readonly Queue<(long Version, LiveMark Mark)> _marks = [];
    private readonly Dictionary<(Level Level, string Arm), (long Version, Buckets Buckets, LiveTotal? Total)> _totals = [];
    private long _version = 1;
    private (long Version, LiveRun Run)? _run;
    private LiveProgress? _progress;
    private IReadOnlyList<LiveProcess> _processes = [];
    private LiveEnd? _end;
    private int _dropped;

    /// <summary>Of the last change; at least 1.</summary>
    public long Version
    {
        get
        {
            lock (_lock)
                return _version;
        }
    }

    public void Begin(LiveRun run)
    {
        lock (_lock)
            _run = (++_version, run);
    }

    public void Add(RunProgress progress)
    {
        lock (_lock)
        {
            _version++;
            _progress = new LiveProgress(
                progress.Done, progress.Total, ProgressText.Duration(progress.Elapsed), ProgressText.Left(progress),
                progress.Next is { } next ? Activity.From(next, TimeSpan.Zero).What : null);
            if (progress.Processes.Count > 0)
                _processes = [.. progress.Processes.Select(LiveProcess.From)];
            foreach (var row in progress.Rows)
                Add(row, progress.Processes);
            foreach (var arm in progress.Arms)
                Sum(arm);
            foreach (var one in progress.Events.Where(one => !one.IsRoutine))
                Keep(_marks, MarkOf(one, progress.Rows is [.., var last] ? last : null, progress.Next?.Order));
        }
    }

    /// <summary>Only the first end counts.</summary>
    public void End(LiveEnd end)
    {
        lock (_lock)
        {
            if (_end is not null)
                return;
            _version++;
            _end = end;
        }
    }

    /// <summary>What has changed since a version; 0: all that is kept.</summary>
    public LiveUpdate Since(long version)
    {
        lock (_lock)
        {
            return new LiveUpdate
            {
                Version = _version,
                IsWhole = version == 0,
                Run = _run is { } run && run.Version > version ? run.Run : null,
                Progress = _progress,
                Trials = [.. _trials.Where(one => one.Version > version).Select(one => one.Trial)],
                DroppedTrials = _dropped,
                Totals = [.. _totals.Values.Where(one => one.Version > version).Select(one => one.Total).OfType<LiveTotal>()],
                Marks = [.. _marks.Where(one => one.Version > version).Select(one => one.Mark)],
                Processes = _processes,
                End = _end,
            };
        }
    }

    private void Add(IterationRow row, IReadOnlyList<NamedUse> processes)
    {
        _dropped += Keep(_trials, LiveTrial.From(row, processes));
        if (!row.Counts || row.Arm == Arm.Floor.Name)
            return;
        var sum = _totals.TryGetValue((row.Level, row.Arm), out var total) ? total.Buckets.Add(row.Buckets) : row.Buckets;
        _totals[(row.Level, row.Arm)] = (_version, sum, total.Total);
    }

    // Whatever the terminal shows of an arm, with the outcomes beside it.
    private void Sum(ArmProgress arm)
    {
        if (_totals.TryGetValue((arm.Level, arm.Arm), out var total) && total.Version == _version)
            _totals[(arm.Level, arm.Arm)] = total with { Total = LiveTotal.From(arm, total.Buckets) };
    }

    private int Keep<T>(Queue<(long Version, T One)> kept, T one)
    {
        kept.Enqueue((_version, one));
        if (kept.Count <= MaxKept)
            return 0;
        kept.Dequeue();
        return 1;
    }

    // Events are reported with the trial in which they happened, or before the first.
    private static LiveMark MarkOf(EventRow one, IterationRow? during, int? next)
    {
        var place = during is null ? (next ?? 1) - 0.5 : during.Order - 0.5 + ShareOf(during, one.At);
        return new LiveMark(place, one.IsOrdered, one.At.TotalSeconds, one.Kind, one.Target, one.Detail);
    }

    private static double ShareOf(IterationRow row, TimeSpan at)
    {
        var lasted = row.Connect + row.Burst + row.Drain;
        return lasted > TimeSpan.Zero ? Math.Clamp((at - row.Start) / lasted, 0, 1) : 0;
    }
}
