using PubSubOverWs.LoadTest.Machine;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>Checks before anything is started: the machine, and servers and queues that should already be running.</summary>
public static class Preflight
{
    /// <summary>Returns warnings for the user.</summary>
    /// <exception cref="RefusalException">Names what is missing and how to fix it.</exception>
    public static async Task<IReadOnlyList<string>> CheckAsync(RunJob job, TimeProvider time, CancellationToken stopping)
    {
        // The lock is held by this run itself.
        var machine = await MachineProbe.LookAsync(TargetList.Programs, stopping) with { LockHolder = null };
        var findings = Examination.Of(machine, DemandOf(job));
        if (findings.FirstOrDefault(finding => finding.Level == CheckLevel.Refusal) is { } refused)
            throw new RefusalException(refused.Refusal);

        foreach (var (target, use) in job.Targets)
            await target.CheckAsync(use, time, stopping);
        return [.. findings.Where(finding => finding.Level == CheckLevel.Warning).Select(finding => finding.Line)];
    }

    private static Demand DemandOf(RunJob job) => new(
        job.Scenario.MostUsers,
        job.Scenario.Pinning,
        LoopbackOnly: job.Request.AllAddresses.All(url => url.IsLoopback),
        job.StartsServers)
    {
        ConnectionsPerUser = job.Scenario.ConnectionsPerUser,
    };
}
