using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>
/// Conditions that must be unchanged to resume a run: one record cannot mix two programs, two queues or two machines. Stricter than
/// <see cref="Report.Compare.Comparability"/>, which decides whether two records may be compared.
/// </summary>
public static class ResumeRules
{
    /// <exception cref="RefusalException">Names what changed, and what to do.</exception>
    public static void Check(RunJob job, RunFolder record)
    {
        var before = record.Run;
        RefusalException.ThrowUnless(before.SetUp.OwnServers == job.Request.OwnServersOnly, before.SetUp.OwnServers
            ? $"The run to resume started its own servers: omit {TargetList.Options("and")}."
            : $"The run to resume measured servers that were already running: give {TargetList.Options("and")} again.");
        RefusalException.ThrowUnless(before.Machine.Commit == ThisProgram.Commit,
            $"The run to resume was made by commit {before.Machine.Commit ?? "unknown"}, this program is "
                + $"{ThisProgram.Commit ?? "unknown"}: one record cannot mix two programs, so start a new run.");
        var setUp = RunDescription.SetUp(job, PinningPlan.ForThisMachine(job.Scenario.Pinning));
        foreach (var (name, was, now) in Compared(before.SetUp, setUp).Concat(Compared(before.Machine, MachineDescription.Make())))
            RefusalException.ThrowUnless(was == now,
                $"The run to resume had {name} '{was}', and now it is '{now}': resume it on its own machine with the addresses it was "
                    + "started with, or start a new run.");
    }

    private static IEnumerable<(string Name, string Was, string Now)> Compared(SetUp before, SetUp now)
    {
        yield return ("queue", before.Queue, now.Queue);
        yield return ("clients", Kebab.Text(before.Client), Kebab.Text(now.Client));
        yield return ("SQS client", before.SqsClient ?? "not recorded", now.SqsClient ?? "not recorded");
        foreach (var setting in before.Settings.Keys.Union(now.Settings.Keys))
            yield return (setting, before.Settings.GetValueOrDefault(setting, "none"), now.Settings.GetValueOrDefault(setting, "none"));
        yield return ("pinning", before.NotPinnedBecause ?? "as the scenario wants it", now.NotPinnedBecause ?? "as the scenario wants it");
    }

    private static IEnumerable<(string Name, string Was, string Now)> Compared(MachineRecord before, MachineRecord now)
    {
        yield return ("processor", before.Cpu, now.Cpu);
        yield return ("cores", $"{before.Cores}", $"{now.Cores}");
        yield return ("system", before.Os, now.Os);
    }
}
