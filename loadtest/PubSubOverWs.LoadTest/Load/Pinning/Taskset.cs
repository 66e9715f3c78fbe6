using System.Diagnostics;

namespace PubSubOverWs.LoadTest.Load.Pinning;

/// <summary>
/// <c>taskset</c> of util-linux. <see cref="Process.ProcessorAffinity"/> moves the main thread only on Linux; <c>taskset -a</c> moves all,
/// and threads made later inherit the mask of the thread that makes them.
/// </summary>
public static class Taskset
{
    public static bool IsInstalled() =>
        (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator).Any(folder => File.Exists(Path.Combine(folder, "taskset")));

    /// <summary>Moves all threads of this process to the plan's load core and returns what was read back; nothing when not pinned.</summary>
    /// <exception cref="InvalidOperationException">taskset refused.</exception>
    public static async Task<IReadOnlyList<string>> MoveThisProcessAsync(PinningPlan plan, CancellationToken cancellationToken)
    {
        if (plan.LoadCore is { } core)
            await RunAsync(["-a", "-c", "-p", $"{core}", $"{Environment.ProcessId}"], cancellationToken);
        return ThreadMasks.Of(Environment.ProcessId);
    }

    private static async Task RunAsync(string[] arguments, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo("taskset", arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync(cancellationToken);
        var error = await process.StandardError.ReadToEndAsync(cancellationToken);
        await output;
        await process.WaitForExitAsync(cancellationToken);
        if (process.ExitCode != 0)
            throw new InvalidOperationException($"taskset {string.Join(' ', arguments)} failed: {error.Trim()} Use --no-pin to run without pinning.");
    }
}
