using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.Tests.LoadTest.Harness.Workers;

/// <summary>Clocks of load processes that are 1,000 s apart, and known exactly.</summary>
internal static class FarClocks
{
    /// <param name="process">Its number, from 0.</param>
    public static WorkerClock Of(int process) => Between(0, Ahead(process));

    /// <summary>What such a process would have stamped, as its own stamps.</summary>
    public static WorkerClock To(int process) => Between(Ahead(process), 0);

    public static long Ahead(int process) => (process + 1) * 1_000 * Stopwatch.Frequency;

    private static WorkerClock Between(long here, long there) =>
        new(new(here, there, 0), new(here + Stopwatch.Frequency, there + Stopwatch.Frequency, 0), here);
}
