using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace PubSubOverWs.LoadTest.Harness.Machine;

/// <summary>
/// Has a thread wait until a moment, to within some 10 us: waits of the runtime have a grain of 1 ms. It sleeps in the system and spins at
/// the end only. Belongs to the thread that made it.
/// </summary>
public sealed class ExactWait
{
    // The system may wake a thread later than it was told, by 50 us unless the thread asks for less (prctl(2)).
    private const int SetTimerSlack = 29;
    private const int LeastSlackNanoseconds = 1;

    /// <summary>A longer wait is one that can be cancelled, and ends this much earlier.</summary>
    private static readonly TimeSpan Coarse = TimeSpan.FromMilliseconds(5);

    // What a wait of the runtime may take longer than it was told.
    private static readonly TimeSpan RuntimeGrain = TimeSpan.FromMilliseconds(2);

    private readonly TimeSpan _spin;

    /// <param name="spin">
    /// The last part of a wait, which takes the core from all others: about as long as the system takes to wake a thread. Zero: no
    /// spinning. Ignored on Windows, whose sleeps have the grain of the runtime: there the last 2 ms are spun.
    /// </param>
    public ExactWait(TimeSpan spin)
    {
        _spin = OperatingSystem.IsWindows() ? RuntimeGrain : spin;
        if (OperatingSystem.IsLinux())
            _ = Control(SetTimerSlack, LeastSlackNanoseconds, 0, 0, 0); // Refused: wakes up 50 us later, which the schedule lag shows.
    }

    /// <summary>Returns at the moment, at once if it has passed, or when the token is cancelled.</summary>
    /// <param name="due">A stamp of <see cref="Stopwatch"/>.</param>
    public void Until(long due, CancellationToken stopping)
    {
        while (Left(due) is var left && left > _spin && !stopping.IsCancellationRequested)
        {
            if (left > 2 * Coarse)
                stopping.WaitHandle.WaitOne(left - Coarse);
            else if (OperatingSystem.IsWindows())
                stopping.WaitHandle.WaitOne(1);
            else
                Sleep(left - _spin);
        }
        while (Stopwatch.GetTimestamp() < due && !stopping.IsCancellationRequested)
            Thread.SpinWait(1);
    }

    private static TimeSpan Left(long due) => Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), due);

    // Ends early when a signal comes, which the caller finds out.
    [UnsupportedOSPlatform("windows")]
    private static void Sleep(TimeSpan time)
    {
        var request = new TimeSpec { Seconds = 0, Nanoseconds = (nint)(time.Ticks * TimeSpan.NanosecondsPerTick) };
        _ = NanoSleep(in request, 0);
    }

    [DllImport("libc", EntryPoint = "nanosleep")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int NanoSleep(in TimeSpec request, nint remaining);

    [DllImport("libc", EntryPoint = "prctl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Control(int option, nuint second, nuint third, nuint fourth, nuint fifth);

    /// <summary>struct timespec of a system with 64 bits.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
