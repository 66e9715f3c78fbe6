using PubSubOverWs.LoadTest.Harness.Machine;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>Checks before anything is started: the machine, and servers and queues that should already be running.</summary>
public static class Preflight
{
    /// <summary>Returns warnings for the user.</summary>
    /// <exception cref="RefusalException">Names what is missing and how to fix it.</exception>
    public static async Task<IReadOnlyList<string>> CheckAsync(RunJob job, TimeProvider time, CancellationToken stopping)
    {
        var findings = await ExamineAsync(job, holdsLock: true, stopping);
        if (findings.FirstOrDefault(finding => finding.Level == CheckLevel.Refusal) is { } refused)
            throw new RefusalException(refused.Refusal);

        await CheckTargetsAsync(job, time, stopping);
        return [.. findings.Where(finding => finding.Level == CheckLevel.Warning).Select(finding => finding.Line)];
    }

    /// <summary>What the machine has and the run needs.</summary>
    /// <param name="holdsLock">The run itself holds the lock of the machine.</param>
    public static async Task<IReadOnlyList<Finding>> ExamineAsync(RunJob job, bool holdsLock, CancellationToken stopping)
    {
        var machine = await MachineProbe.LookAsync(TargetList.Programs, job.Folder.Length == 0 ? null : job.Folder, stopping);
        return Examination.Make(holdsLock ? machine with { LockHolder = null } : machine, DemandOf(job));
    }

    /// <summary>Servers and queues that should already be running.</summary>
    /// <exception cref="RefusalException">One cannot be reached or used.</exception>
    public static async Task CheckTargetsAsync(RunJob job, TimeProvider time, CancellationToken stopping)
    {
        foreach (var (target, use) in job.Targets)
            await target.CheckAsync(use, time, stopping);
    }

    private static Demand DemandOf(RunJob job) => new(
        job.Scenario.MaxUsers,
        job.Scenario.Pinning,
        LoopbackOnly: job.Request.AllAddresses.All(url => url.IsLoopback),
        job.StartsServers)
    {
        ConnectionsPerUser = job.Scenario.ConnectionsPerUser,
        Workers = job.Scenario.Workers,
        MayHaveWorkers = job.Scenario.Kind.SharesClients,
        Servers = job.Scenario.Arms.Where(arm => job.Request.AddressOf(arm) is null).Select(arm => job.Scenario.SetUp(arm).Servers)
            .DefaultIfEmpty(1).Min(),
        Fewer = job.Scenario.Kind.AsksForFewer,
        RecordBytes = job.RecordBytes,
        Resumes = job.Before is not null,
        Browser = job.Request.Client == ClientKind.Browser,
    };
}
