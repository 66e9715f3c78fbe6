using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Live;

/// <summary>
/// A recorded trial. Latencies are in ms, as the experiment judges them; null: too few messages were delivered for the value. CPU is that
/// of the burst, in percent of one core; null: it is not known.
/// </summary>
/// <param name="Order">Its place in the run, from 1.</param>
/// <param name="Counts">False: a warm-up.</param>
/// <param name="Throughput">Delivered messages a second, over the burst; null: the burst took no time.</param>
public sealed record LiveTrial(
    int Order, int Block, int Iteration, string Arm, string Level, bool Counts, long Attempts, long Delivered,
    double? Mean, double? P50, double? P90, double? P99, double? Max, double? Throughput, double? ServerCpu, double? QueueCpu,
    double? LoadCpu, double? IdleCpu)
{
    /// <summary>Resident memory of each process after the trial, in MiB, by name; empty for trials of the run that is resumed.</summary>
    public required IReadOnlyDictionary<string, double> Memory { get; init; }

    public static LiveTrial Of(IterationRow row, IReadOnlyList<NamedUse> processes)
    {
        return new LiveTrial(
            row.Order, row.Block, row.Iteration, row.Arm, $"{row.Level}", row.Counts, row.Buckets.Attempts, row.Buckets.Delivered,
            Milliseconds(row.Latency.Mean), Milliseconds(row.Latency.P50), Milliseconds(row.Latency.P90), Milliseconds(row.Latency.P99),
            Milliseconds(row.Latency.Max), row.Burst > TimeSpan.Zero ? row.Buckets.Delivered / row.Burst.TotalSeconds : null,
            Share(row.Cpu.Server), Share(row.Cpu.Queue), Share(row.Cpu.Load), Share(row.Cpu.Idle))
        {
            Memory = processes.Select(LiveProcess.Of).GroupBy(one => one.Name)
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

    public static LiveProcess Of(NamedUse one) =>
        new(one.Name, Math.Round(one.Use.Cpu.TotalSeconds, 2), Math.Round(one.Use.ResidentBytes / MiB, 1));
}
