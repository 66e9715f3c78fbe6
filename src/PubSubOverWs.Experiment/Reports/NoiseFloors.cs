using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>Holds a run against A/A runs: only those of the same set-up say anything of its noise.</summary>
public static class NoiseFloors
{
    /// <param name="run">What is to be held against them.</param>
    /// <param name="sources">A/A runs, by the names of their folders.</param>
    /// <exception cref="RecordException">One is no whole and valid A/A run, or was made otherwise than <paramref name="run"/>; names what differs.</exception>
    public static NoiseFloor Of(RunFolder run, IEnumerable<(string Name, RunFolder Folder)> sources) =>
        new([.. sources.Select(source => Source(run, source.Name, source.Folder))]);

    /// <summary>What an A/A run found; null: it is another kind of run.</summary>
    public static SelfComparison? FoundBy(RunFolder run) => run.Run.Scenario.IsAgainstItself ? ReportBuilder.Build(run).AgainstItself : null;

    private static NoiseSource Source(RunFolder run, string name, RunFolder source)
    {
        Demand(source.Run.Scenario.IsAgainstItself, $"{name} is no A/A run: make one with run {run.Run.Scenario.Name} --aa direct.");
        Demand(!run.Run.Scenario.IsAgainstItself, "An A/A run has a noise floor of its own, and is held against no other.");
        Demand(source.Run.Complete && Validity.IsValid(source), $"{name} is {(source.Run.Complete ? "invalid" : "not complete")}, and says nothing of noise: make it again.");
        foreach (var (what, here, there) in Compared(run, source))
            Demand(here == there, $"{name} was made with {what} {there}, and this run with {here}: its noise is another. Make an A/A run of this set-up.");
        var missing = run.Run.Scenario.Users.Except(source.Run.Scenario.Users).ToArray();
        Demand(missing.Length == 0, $"{name} has no level of {string.Join(", ", missing.Select(users => Show.Whole(users)))} users: make an A/A run with all levels of this run.");
        return new NoiseSource(name, source.Run.Started, source.Run.Machine.Commit, FoundBy(source)!);
    }

    private static IEnumerable<(string What, string Here, string There)> Compared(RunFolder run, RunFolder source)
    {
        var (here, there) = (run.Run, source.Run);
        yield return ("the processor", here.Machine.Cpu, there.Machine.Cpu);
        yield return ("cores", Show.Whole(here.Machine.Cores), Show.Whole(there.Machine.Cores));
        yield return ("pinning", Pinning(here), Pinning(there));
        yield return ("arrival", here.Scenario.Arrival.ToString(), there.Scenario.Arrival.ToString());
        yield return ("payload bytes", Show.Whole(here.Scenario.PayloadBytes), Show.Whole(there.Scenario.PayloadBytes));
        yield return ("receipts", here.Scenario.Receipts ? "on" : "off", there.Scenario.Receipts ? "on" : "off");
        // A direct server has no queue that could be another.
        if (there.Scenario.Runs(Arms.PubSub))
            yield return ("the queue", here.SetUp.Queue, there.SetUp.Queue);
    }

    private static string Pinning(RunRecord run) => run.SetUp.Pinned.Count > 0 ? "on" : "off";

    private static void Demand(bool holds, string otherwise)
    {
        if (!holds)
            throw new RecordException(otherwise);
    }
}
