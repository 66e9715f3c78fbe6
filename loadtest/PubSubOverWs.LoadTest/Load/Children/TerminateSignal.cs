using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace PubSubOverWs.LoadTest.Load.Children;

/// <summary>SIGTERM, for which the runtime has no call: <c>Process.Kill</c> sends SIGKILL, and the program <c>kill</c> is not on every machine.</summary>
[UnsupportedOSPlatform("windows")]
internal static class TerminateSignal
{
    private const int Number = 15; // On every system that .NET runs on (POSIX).
    private const int NoSuchProcess = 3;

    /// <summary>Nothing happens if the process has ended.</summary>
    public static void Send(int process)
    {
        if (Kill(process, Number) != 0 && Marshal.GetLastPInvokeError() is var error and not NoSuchProcess)
            throw new InvalidOperationException($"Process {process} could not be told to end: {Marshal.GetPInvokeErrorMessage(error)}.");
    }

    [DllImport("libc", EntryPoint = "kill", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Kill(int process, int signal);
}
