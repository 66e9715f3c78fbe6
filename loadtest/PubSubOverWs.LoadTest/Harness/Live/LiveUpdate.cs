using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Live;

/// <summary>What a page is sent: all that is kept of a run, or what is new since its last update.</summary>
public sealed record LiveUpdate
{
    /// <summary>Counts the changes of <see cref="LiveState"/>, from 1.</summary>
    public required long Version { get; init; }

    /// <summary>True: the page forgets what it had.</summary>
    public required bool IsWhole { get; init; }

    /// <summary>The number by which the page says that it has drawn this.</summary>
    public int Page { get; init; }

    /// <summary>Null: it is not known yet, or has not changed.</summary>
    public LiveRun? Run { get; init; }

    /// <summary>Null: the run has not begun.</summary>
    public LiveProgress? Progress { get; init; }

    /// <summary>In the order in which they ran.</summary>
    public required IReadOnlyList<LiveTrial> Trials { get; init; }

    /// <summary>Older trials, of which only <see cref="Totals"/> are kept.</summary>
    public required int DroppedTrials { get; init; }

    /// <summary>By level and arm; what is not here has not changed.</summary>
    public required IReadOnlyList<LiveTotal> Totals { get; init; }

    /// <summary>Faults and failures, in their order.</summary>
    public required IReadOnlyList<LiveMark> Marks { get; init; }

    /// <summary>After the last trial.</summary>
    public required IReadOnlyList<LiveProcess> Processes { get; init; }

    /// <summary>Null: the run goes on.</summary>
    public LiveEnd? End { get; init; }
}

/// <summary>What is known of a run from its start.</summary>
/// <param name="Arms">In the order in which reports show them, the floor last.</param>
/// <param name="Levels">From low to high.</param>
public sealed record LiveRun(string Scenario, string Folder, IReadOnlyList<string> Arms, IReadOnlyList<string> Levels)
{
    /// <summary>The page keeps no more trials and marks, either.</summary>
    public int MaxKept { get; } = LiveState.MaxKept;
}

/// <summary>
/// How far the run is, and which trial comes now. Times are texts, such as <c>2 min 05 s</c>, or <c>about 2 min 05 s</c> for what is left.
/// </summary>
/// <param name="Now">Null: none is left.</param>
public sealed record LiveProgress(int Done, int Total, string Elapsed, string Left, string? Now);

/// <summary>Results of an arm at a level so far, without warm-up, as on the terminal.</summary>
/// <param name="Loss">From 0 to 1; null before anything was attempted.</param>
/// <param name="Mean">Mean of the iterations' mean latencies, in ms.</param>
/// <param name="Buckets">Messages by outcome.</param>
public sealed record LiveTotal(
    string Arm, string Level, int Iterations, long Attempts, double? Loss, double? Mean, IReadOnlyDictionary<string, long> Buckets)
{
    public static LiveTotal From(ArmProgress arm, Buckets buckets) => new(
        arm.Arm, $"{arm.Level}", arm.Iterations, arm.Attempts, arm.Loss, arm.MeanLatency?.TotalMilliseconds,
        Enum.GetValues<Outcome>().ToDictionary(Kebab.Text, outcome => buckets[outcome]));
}

/// <summary>A fault of the scenario, or a failure, at its place among the trials.</summary>
/// <param name="At">The place in the run: a trial with the order 7 lasts from 6.5 to 7.5.</param>
/// <param name="IsFault">True: part of the scenario's fault.</param>
/// <param name="Seconds">From the start of the run.</param>
public sealed record LiveMark(double At, bool IsFault, double Seconds, string Kind, string Target, string Detail);

/// <summary>How the run ended.</summary>
/// <param name="HasReport">True: the page has a link to it.</param>
/// <param name="Stays">True: the page can be opened until the program is stopped.</param>
public sealed record LiveEnd(string Text, bool HasReport, bool Stays);

/// <summary>
/// A recorded trial. Latencies are in ms, as the experiment judges them; null: too few messages were delivered for the value. CPU is that
/// of the burst, in percent of one core; null: it is not known.
/// </summary>
/// <param name="Order">Its place in the run, from 1.</param>
/// <param name="Counts">False: a warm-up.</param>
/// <param name="Throughput">Delivered messages a second, over the burst; null: the burst took no time.</param>
public sealed record LiveTrial(
    int Order, int Block, string Arm, string Level, bool Counts, long Attempts, long Delivered,
    double? Mean, double? P50, double? P90, double? P99, double? Max, double? Throughput, double? ServerCpu, double? QueueCpu,
    double? LoadCpu, double? IdleCpu)
{
    /// <summary>Resident memory of each process after the trial, in MiB, by name; empty for trials of the run that is resumed.</summary>
    public required IReadOnlyDictionary<string, double> Memory { get; init; }

    public static LiveTrial From(IterationRow row, IReadOnlyList<NamedUse> processes)
    {
        return new LiveTrial(
            row.Order, row.Block, row.Arm, $"{row.Level}", row.Counts, row.Buckets.Attempts, row.Buckets.Delivered,
            Milliseconds(row.Latency.Mean), Milliseconds(row.Latency.P50), Milliseconds(row.Latency.P90), Milliseconds(row.Latency.P99),
            Milliseconds(row.Latency.Max), row.Burst > TimeSpan.Zero ? row.Buckets.Delivered / row.Burst.TotalSeconds : null,
            Share(row.Cpu.Server), Share(row.Cpu.Queue), Share(row.Cpu.Load), Share(row.Cpu.Idle))
        {
            Memory = processes.Select(LiveProcess.From).GroupBy(one => one.Name)
                .ToDictionary(same => same.Key, same => same.Sum(one => one.MemoryMiB)),
        };

        double? Milliseconds(double? microseconds) => microseconds / 1000;

        double? Share(TimeSpan? cpu) => row.Burst > TimeSpan.Zero ? 100 * (cpu / row.Burst) : null;
    }
}

/// <summary>A process: its CPU time since it started, and its resident memory.</summary>
public sealed record LiveProcess(string Name, double CpuSeconds, double MemoryMiB)
{
    private const double MiB = 1 << 20;

    public static LiveProcess From(NamedUse one) =>
        new(one.Name, Math.Round(one.Use.Cpu.TotalSeconds, 2), Math.Round(one.Use.ResidentBytes / MiB, 1));
}
