using System.Diagnostics;

namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>The core of the server under test, and the core that load and queue share; or why nothing is pinned.</summary>
/// <param name="ServerCore">Null: not pinned.</param>
/// <param name="LoadCore">Null: not pinned.</param>
/// <param name="WhyNot">One sentence for the report; null when pinned.</param>
public sealed record PinningPlan(int? ServerCore, int? LoadCore, string? WhyNot)
{
    public bool IsPinned => WhyNot is null;

    /// <summary>From the cores that this process may use now: to be called before it pins itself.</summary>
    public static PinningPlan ForThisMachine(bool wanted)
    {
        var allowed = OperatingSystem.IsLinux() ? CpuList.Parse(ThreadMasks.Read(Environment.ProcessId)[0]) : [];
        return Decide(wanted, OperatingSystem.IsLinux(), Taskset.IsInstalled(), allowed);
    }

    /// <summary>
    /// The first and the last core: mostly two physical ones, but in small virtual machines perhaps two logical cores of one, shared by
    /// server and load.
    /// </summary>
    public static PinningPlan Decide(bool wanted, bool isLinux, bool hasTaskset, IReadOnlyList<int> allowed) =>
        !wanted ? Not("Not pinned: --no-pin was given.")
        : !isLinux ? Not("Not pinned: only Linux lets a process be moved to a core with all its threads.")
        : !hasTaskset ? Not("Not pinned: taskset is missing; install util-linux.")
        : allowed.Count < 2 ? Not("Not pinned: this machine has one core; server and load share it.")
        : new PinningPlan(allowed[0], allowed[^1], null);

    private static PinningPlan Not(string why) => new(null, null, why);
}

/// <summary>A set of cores as Linux writes it: <c>0-3,7</c>.</summary>
public static class CpuList
{
    /// <exception cref="FormatException">Not such a list.</exception>
    public static IReadOnlyList<int> Parse(string list)
    {
        var cores = new List<int>();
        foreach (var part in list.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            var ends = part.Split('-');
            var first = int.Parse(ends[0], CultureInfo.InvariantCulture);
            var last = int.Parse(ends[^1], CultureInfo.InvariantCulture);
            cores.AddRange(Enumerable.Range(first, last - first + 1));
        }
        return cores;
    }
}

/// <summary>
/// <c>taskset</c> of util-linux. On Linux <see cref="Process.ProcessorAffinity"/> moves the main thread only; <c>taskset -a</c> moves
/// all, and later threads inherit the mask of the thread that creates them.
/// </summary>
public static class Taskset
{
    /// <summary>A thread that is created while taskset goes through the list is missed; the next try finds it.</summary>
    private const int MaxTries = 5;

    public static bool IsInstalled() =>
        (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator)
            .Any(folder => File.Exists(Path.Combine(folder, "taskset")));

    /// <summary>Moves all threads of this process to the plan's load core, if it has one; returns their cores as read back.</summary>
    /// <exception cref="InvalidOperationException">taskset failed.</exception>
    public static async Task<IReadOnlyList<string>> MoveThisProcessAsync(PinningPlan plan, CancellationToken cancellationToken)
    {
        if (plan.LoadCore is not { } core)
            return ThreadMasks.Read(Environment.ProcessId);
        string[] wanted = [$"{core}"];
        IReadOnlyList<string> found = [];
        for (var tries = 0; tries < MaxTries && !found.SequenceEqual(wanted); tries++)
        {
            await RunAsync(["-a", "-c", "-p", $"{core}", $"{Environment.ProcessId}"], cancellationToken);
            found = ThreadMasks.Read(Environment.ProcessId);
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
    public static IReadOnlyList<string> Read(int processId)
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
