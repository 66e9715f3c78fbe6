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
        var allowed = OperatingSystem.IsLinux() ? CpuList.Parse(ThreadMasks.Of(Environment.ProcessId)[0]) : [];
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
