using System.Diagnostics;

namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>
/// <c>taskset</c> of util-linux. On Linux <see cref="Process.ProcessorAffinity"/> moves the main thread only; <c>taskset -a</c> moves
/// all, and later threads inherit the mask of the thread that creates them.
/// </summary>
public static class Taskset
{
    /// <summary>A thread that is created while taskset goes through the list is missed; the next try finds it.</summary>
    private const int MostTries = 5;

    public static bool IsInstalled() =>
        (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator)
            .Any(folder => File.Exists(Path.Combine(folder, "taskset")));

    /// <summary>Moves all threads of this process to the plan's load core, if it has one; returns their cores as read back.</summary>
    /// <exception cref="InvalidOperationException">taskset failed.</exception>
    public static async Task<IReadOnlyList<string>> MoveThisProcessAsync(PinningPlan plan, CancellationToken cancellationToken)
    {
        if (plan.LoadCore is not { } core)
            return ThreadMasks.Of(Environment.ProcessId);
        string[] wanted = [$"{core}"];
        IReadOnlyList<string> found = [];
        for (var tries = 0; tries < MostTries && !found.SequenceEqual(wanted); tries++)
        {
            await RunAsync(["-a", "-c", "-p", $"{core}", $"{Environment.ProcessId}"], cancellationToken);
            found = ThreadMasks.Of(Environment.ProcessId);
        }
        return found;
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
            throw new InvalidOperationException(
                $"taskset {string.Join(' ', arguments)} failed: {error.Trim()} Use --no-pin to run without pinning.");
    }
}

/// <summary>The cores that the threads of a process may use, from <c>/proc/PID/task/*/status</c>.</summary>
public static class ThreadMasks
{
    private const string Field = "Cpus_allowed_list:";

    /// <summary>Each distinct list once, in order: one if all threads agree. Empty without <c>/proc</c>.</summary>
    public static IReadOnlyList<string> Of(int processId)
    {
        var tasks = $"/proc/{processId}/task";
        if (!Directory.Exists(tasks))
            return [];
        return [.. Directory.EnumerateDirectories(tasks).Select(Read).OfType<string>().Distinct().Order(StringComparer.Ordinal)];
    }

    /// <summary>The list in a <c>status</c> file; null: it has none.</summary>
    public static string? Parse(IEnumerable<string> status) =>
        status.FirstOrDefault(line => line.StartsWith(Field, StringComparison.Ordinal))?[Field.Length..].Trim();

    private static string? Read(string task)
    {
        try
        {
            return Parse(File.ReadLines(Path.Combine(task, "status")));
        }
        catch (IOException)
        {
            return null; // The thread ended while we looked.
        }
    }
}
