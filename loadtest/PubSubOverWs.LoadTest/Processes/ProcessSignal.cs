using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace PubSubOverWs.LoadTest.Processes;

/// <summary>Signals that the runtime has no call for. The program <c>kill</c> is not on every machine.</summary>
[UnsupportedOSPlatform("windows")]
internal static class ProcessSignal
{
    // SIGKILL and SIGTERM have the same numbers on every system (POSIX); the other two differ on macOS.
    private const int KillNumber = 9;
    private const int TerminateNumber = 15;
    private const int NoSuchProcess = 3;

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

    private static void Send(int process, int signal)
    {
        if (Call(process, signal) != 0 && Marshal.GetLastPInvokeError() is var error and not NoSuchProcess)
            throw new InvalidOperationException(
                $"Process {process} could not be sent signal {signal}: {Marshal.GetPInvokeErrorMessage(error)}.");
    }

    [DllImport("libc", EntryPoint = "kill", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Call(int process, int signal);
}
