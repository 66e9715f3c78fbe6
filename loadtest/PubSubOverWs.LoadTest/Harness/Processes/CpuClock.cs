using System.Diagnostics;
using System.Runtime.InteropServices;

namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>The CPU time of a process, finer than the 10 ms in which Linux counts it in <c>/proc</c>.</summary>
internal static class CpuClock
{
    private static readonly bool IsThere = OperatingSystem.IsLinux() && Environment.Is64BitProcess;

    /// <summary>User and kernel time of all its threads.</summary>
    /// <exception cref="InvalidOperationException">It has ended.</exception>
    public static TimeSpan Read(Process process)
    {
        var coarse = process.TotalProcessorTime;
        return IsThere && Read(NumberOf(process.Id), out var time) == 0
            ? TimeSpan.FromTicks((time.Seconds * TimeSpan.TicksPerSecond) + (time.Nanoseconds / TimeSpan.NanosecondsPerTick))
            : coarse;
    }

    // MAKE_PROCESS_CPUCLOCK and CPUCLOCK_SCHED of include/linux/posix-timers_types.h in Linux; what clock_getcpuclockid(3) returns.
    private static int NumberOf(int process) => (~process << 3) | 2;

    [DllImport("libc", EntryPoint = "clock_gettime")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Read(int clock, out Reading time);

    private struct Reading
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
