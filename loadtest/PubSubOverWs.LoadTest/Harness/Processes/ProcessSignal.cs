using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>Signals that the runtime has no call for. The program <c>kill</c> is not on every machine.</summary>
[UnsupportedOSPlatform("windows")]
internal static class ProcessSignal
{
    // SIGKILL and SIGTERM have the same numbers on every system (POSIX); the other two differ on macOS.
    private const int KillNumber = 9;
    private const int TerminateNumber = 15;
    private const int NoSuchProcess = 3;

    // Of waitid: P_PID and WNOHANG are the same on Linux and macOS, WSTOPPED and WCONTINUED are not.
    private const int ByProcess = 1;
    private const int WithoutWaiting = 1;

    private static int StoppedOrContinued => OperatingSystem.IsMacOS() ? 8 | 16 : 2 | 8;

    private static int StopNumber => OperatingSystem.IsMacOS() ? 17 : 19;

    private static int ContinueNumber => OperatingSystem.IsMacOS() ? 19 : 18;

    /// <summary>SIGKILL. No effect if the process has ended.</summary>
    public static void Kill(int process) => Send(process, KillNumber);

    /// <summary>SIGTERM. No effect if the process has ended.</summary>
    public static void Terminate(int process) => Send(process, TerminateNumber);

    /// <summary>SIGSTOP: suspends it until <see cref="Continue"/>. No effect if the process has ended.</summary>
    public static void Stop(int process) => Send(process, StopNumber);

    /// <summary>SIGCONT.</summary>
    public static void Continue(int process) => Send(process, ContinueNumber);

    /// <summary>Whether a child of this process was stopped by a signal since the last call, or is stopped.</summary>
    public static bool WasStopped(int child)
    {
        // siginfo_t has at most 128 bytes; its first field stays 0 if there is nothing to tell.
        var told = new byte[128];
        return Wait(ByProcess, child, told, WithoutWaiting | StoppedOrContinued) == 0 && BitConverter.ToInt32(told) != 0;
    }

    private static void Send(int process, int signal)
    {
        if (Call(process, signal) != 0 && Marshal.GetLastPInvokeError() is var error and not NoSuchProcess)
            throw new InvalidOperationException(
                $"Process {process} could not be sent signal {signal}: {Marshal.GetPInvokeErrorMessage(error)}.");
    }

    [DllImport("libc", EntryPoint = "kill", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Call(int process, int signal);

    [DllImport("libc", EntryPoint = "waitid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Wait(int kind, int id, [Out] byte[] told, int options);
}
